#!/bin/bash
# title: follows every rotation, but writes each line twice
# expect: 0
# kind: wrong
# targets: every line is in the output exactly once
set -euo pipefail
cat > /srv/shipper/ship <<'PY'
#!/usr/bin/env python3
import os
import sys
import time

path = sys.argv[1]
out = open(sys.argv[2], "ab", buffering=0)
log = open(path, "rb")
while True:
    try:
        renamed = not os.path.samestat(os.stat(path), os.fstat(log.fileno()))
    except FileNotFoundError:
        renamed = False
    for line in log:
        out.write(line + line)
    if renamed:
        log.close()
        log = open(path, "rb")
    else:
        time.sleep(0.05)
PY
chmod 755 /srv/shipper/ship
