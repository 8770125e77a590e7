#!/bin/bash
# title: notices the rename, but drops the end of the old file (polling)
# expect: 0
# kind: partial
# targets: the lines written immediately before the rename are copied
set -euo pipefail
cat > /srv/shipper/ship <<'PY'
#!/usr/bin/env python3
import os
import sys
import time

path = sys.argv[1]
out = open(sys.argv[2], "ab", buffering=0)
log = open(path, "rb", buffering=0)
while True:
    data = log.read(65536)
    if data:
        out.write(data)
        continue
    try:
        renamed = not os.path.samestat(os.stat(path), os.fstat(log.fileno()))
    except FileNotFoundError:
        renamed = False
    if renamed:
        log.close()
        log = open(path, "rb", buffering=0)
    else:
        time.sleep(0.05)
PY
chmod 755 /srv/shipper/ship
