#!/bin/bash
# title: compares the files with os.path.samestat
# expect: 1
# kind: alternative
# targets: a right program that does not name the inode itself
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
    # Look at the name first and read afterwards: what was written before the rename is read in any case.
    try:
        renamed = not os.path.samestat(os.stat(path), os.fstat(log.fileno()))
    except FileNotFoundError:
        renamed = False
    out.write(log.readall())
    if renamed:
        log.close()
        log = open(path, "rb", buffering=0)
    else:
        time.sleep(0.05)
PY
chmod 755 /srv/shipper/ship
