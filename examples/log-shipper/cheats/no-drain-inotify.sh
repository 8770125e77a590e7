#!/bin/bash
# title: changes to the new file as soon as inotify reports it
# expect: 0
# kind: partial
# targets: the lines written immediately before the rename are copied
# needs: python3
set -euo pipefail
cat > /srv/shipper/ship <<'PY'
#!/usr/bin/env python3
import ctypes
import os
import struct
import sys

IN_MODIFY, IN_CREATE = 0x2, 0x100

path = sys.argv[1]
libc = ctypes.CDLL(None)
events = libc.inotify_init1(os.O_CLOEXEC)
libc.inotify_add_watch(events, os.fsencode(os.path.dirname(path)), IN_MODIFY | IN_CREATE)
out = open(sys.argv[2], "ab", buffering=0)
log = open(path, "rb", buffering=0)
while True:
    out.write(log.readall())
    data = os.read(events, 65536)
    while data:
        _, mask, _, size = struct.unpack_from("iIII", data)
        name, data = data[16 : 16 + size].rstrip(b"\0"), data[16 + size :]
        if mask & IN_CREATE and os.fsdecode(name) == os.path.basename(path):
            log.close()
            log = open(path, "rb", buffering=0)
PY
chmod 755 /srv/shipper/ship
