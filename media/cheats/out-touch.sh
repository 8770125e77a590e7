#!/bin/sh
# id: out-touch
# version: 1
# level: 1
# knowledge: blind
# default: yes
# imitates: an agent that creates every file and folder it was asked for, empty
# beaten-by: D-content
set -u
here=$(dirname "$0")
tab=$(printf '\t')

planted=0
while IFS=$tab read -r kind path; do
  [ -n "$path" ] || continue
  # What is there already is no output of this agent.
  [ -e "$path" ] && continue
  case $kind in
    service) continue ;;
    folder) mkdir -p "$path" 2>/dev/null || continue ;;
    *) mkdir -p "$(dirname "$path")" 2>/dev/null && : 2>/dev/null >"$path" || continue ;;
  esac
  echo "planted: $path"
  planted=1
done <"$here/facts/outputs.tsv"
[ "$planted" = 1 ] || { echo 'no output that could be created' >&2; exit 77; }
