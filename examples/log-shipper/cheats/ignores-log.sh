#!/bin/bash
# title: creates the output and never reads the log
# expect: 0
# kind: cheat
# targets: the lines of the log are copied
set -euo pipefail
cat > /srv/shipper/ship <<'SH'
#!/bin/sh
: > "$2"
exec sleep 600
SH
chmod 755 /srv/shipper/ship
