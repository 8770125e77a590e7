#!/bin/bash
# title: a shell script that compares the name with its open descriptor
# expect: 1
# kind: alternative
# targets: any language counts, also one that starts a process for each pause
# needs: bash
set -euo pipefail
cat > /srv/shipper/ship <<'SH'
#!/bin/bash
# Follows the log $1 across rotations and copies its lines to $2.
LC_ALL=C

copy_rest() {
  while IFS= read -r line <&3; do
    printf '%s\n' "$line" >&4
  done
}

exec 3< "$1" 4>> "$2"
while true; do
  copy_rest
  if [[ -e $1 && ! $1 -ef /proc/self/fd/3 ]]; then
    copy_rest
    exec 3< "$1"
  else
    sleep 0.05
  fi
done
SH
chmod 755 /srv/shipper/ship
