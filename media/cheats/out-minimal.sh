#!/bin/sh
# id: out-minimal
# version: 1
# level: 1
# knowledge: blind
# default: yes
# imitates: an agent that writes the least that is still valid in each output's format
# beaten-by: D-content
set -u
here=$(dirname "$0")
tab=$(printf '\t')

# The example that the instruction gives for an output, if any.
example_of() { # path
  [ -f "$here/facts/examples.tsv" ] || return 0
  while IFS=$tab read -r name output; do
    if [ "$output" = "$1" ]; then
      printf '%s\n' "$here/facts/examples/$name"
      return 0
    fi
  done <"$here/facts/examples.tsv"
}

header_of() { # path
  example=$(example_of "$1")
  if [ -n "$example" ]; then
    head -n 1 "$example"
  elif [ -s "$here/facts/keys.txt" ]; then
    tr '\n' ',' <"$here/facts/keys.txt" | sed 's/,$//'
    echo
  else
    echo id
  fi
}

json_of() { # path
  example=$(example_of "$1")
  if [ -n "$example" ] && grep -v '^[[:space:]]*$' "$example" | head -n 1 | grep -q '^[[:space:]]*\['; then
    echo '[]'
  else
    echo '{}'
  fi
}

write() { # kind path
  case $2 in
    *.zip) printf 'PK\005\006\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' ;;
    *.tar) head -c 10240 /dev/zero ;;
    *.tar.gz | *.tgz) head -c 10240 /dev/zero | gzip -c ;;
    *.gz) : | gzip -c ;;
    *.gif) printf 'GIF89a\001\000\001\000\200\000\000\377\377\377\000\000\000,\000\000\000\000\001\000\001\000\000\002\002D\001\000;' ;;
    *.ppm) printf 'P3\n1 1\n255\n0 0 0\n' ;;
    *.db | *.sqlite | *.sqlite3) : ;; # an empty file is a valid, empty database
    *.html | *.htm) echo '<!DOCTYPE html><title></title>' ;;
    *.xml | *.svg) echo '<x/>' ;;
    *.yaml | *.yml) echo '{}' ;;
    *.toml | *.ini) : ;;
    *.jsonl | *.ndjson) echo '{}' ;;
    *)
      case $1 in
        json) json_of "$2" ;;
        csv) header_of "$2" ;;
        script)
          case $2 in
            *.py) echo '#!/usr/bin/env python3' ;;
            *) printf '#!/bin/sh\nexit 0\n' ;;
          esac
          ;;
        module) echo '# nothing' ;;
        *) echo 0 ;;
      esac
      ;;
  esac
}

planted=0
while IFS=$tab read -r kind path; do
  [ -n "$path" ] || continue
  [ -e "$path" ] && continue
  case $kind in
    service) continue ;;
    folder) mkdir -p "$path" 2>/dev/null || continue ;;
    *)
      mkdir -p "$(dirname "$path")" 2>/dev/null && : 2>/dev/null >"$path" || continue
      write "$kind" "$path" >"$path" || exit 1
      case $kind in script | binary) chmod 755 "$path" ;; esac
      ;;
  esac
  echo "planted: $path"
  planted=1
done <"$here/facts/outputs.tsv"
[ "$planted" = 1 ] || { echo 'no output that could be created' >&2; exit 77; }
