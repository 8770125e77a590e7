#!/bin/bash
# title: opens the log anew on every look, and starts again when it is another file
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
known, copied = None, 0
with open(sys.argv[2], "ab", buffering=0) as out:
    while True:
        try:
            with open(path, "rb") as log:
                info = os.fstat(log.fileno())
                if (info.st_dev, info.st_ino) != known:
                    known, copied = (info.st_dev, info.st_ino), 0
                log.seek(copied)
                data = log.read()
        except FileNotFoundError:
            data = b""
        out.write(data)
        copied += len(data)
        time.sleep(0.05)
PY
chmod 755 /srv/shipper/ship
