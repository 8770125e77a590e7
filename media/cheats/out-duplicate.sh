#!/bin/sh
# id: out-duplicate
# version: 1
# level: 1
# knowledge: blind
# default: yes
# imitates: an agent that copies what looks like the answer and has every record in it twice
# beaten-by: D-exact
# runs: input, example
#
# "input" copies the most similar input (same extension, then the largest), "example" the instruction's own example. A
# test that only asks whether each record is there does not notice.
set -u
here=$(dirname "$0")
run=${1:-input}
tab=$(printf '\t')
limit=20000000

size_of() { # file
  wc -c <"$1" 2>/dev/null | tr -d ' '
}

most_similar() { # output
  best=
  best_score=0
  [ -f "$here/facts/inputs.txt" ] || return 0
  while read -r input; do
    [ -f "$input" ] && [ -s "$input" ] && [ -r "$input" ] && [ "$input" != "$1" ] || continue
    size=$(size_of "$input")
    [ "$size" -le "$limit" ] || continue
    score=$size
    [ "${input##*.}" = "${1##*.}" ] && score=$((score + limit + 1))
    if [ "$score" -gt "$best_score" ]; then
      best=$input
      best_score=$score
    fi
  done <"$here/facts/inputs.txt"
  printf '%s\n' "$best"
}

example_of() { # output
  [ -f "$here/facts/examples.tsv" ] || return 0
  while IFS=$tab read -r name output; do
    if [ "$output" = "$1" ]; then
      printf '%s\n' "$here/facts/examples/$name"
      return 0
    fi
  done <"$here/facts/examples.tsv"
}

twice() { # kind file
  case $1 in
    json)
      # Only lists have records; without something that reads JSON nothing is doubled.
      command -v python3 >/dev/null 2>&1 || return 1
      timeout 20 python3 -I - "$2" 2>/dev/null <<'PYTHON'
import json
import sys


def doubled(value):
    if isinstance(value, list):
        return [item for item in value for _ in range(2)]
    if isinstance(value, dict):
        return {key: doubled(item) if isinstance(item, list) else item for key, item in value.items()}
    return value


with open(sys.argv[1]) as file:
    data = json.load(file)
json.dump(doubled(data), sys.stdout)
PYTHON
      ;;
    csv)
      head -n 1 "$2"
      tail -n +2 "$2" | sed p
      ;;
    *) sed p "$2" ;;
  esac
}

planted=0
while IFS=$tab read -r kind path; do
  [ -n "$path" ] || continue
  [ -e "$path" ] && continue
  case $kind in json | csv | text | unknown) ;; *) continue ;; esac
  case $run in
    input) source=$(most_similar "$path") ;;
    example) source=$(example_of "$path") ;;
    *)
      echo "no run called $run" >&2
      exit 2
      ;;
  esac
  [ -n "$source" ] || continue
  mkdir -p "$(dirname "$path")" 2>/dev/null && : 2>/dev/null >"$path" || continue
  if ! twice "$kind" "$source" >"$path"; then
    rm -f "$path"
    continue
  fi
  echo "planted: $path"
  planted=1
done <"$here/facts/outputs.tsv"
[ "$planted" = 1 ] || { echo "no output with an $run to copy" >&2; exit 77; }
