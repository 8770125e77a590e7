#!/bin/bash
# title: sleeps in inotify until the folder of the log changes
# expect: 1
# kind: alternative
# targets: no polling; the program rests in one system call until something is written, renamed or created
# needs: python3
set -euo pipefail
cat > /srv/shipper/ship <<'PY'
#!/usr/bin/env python3
import ctypes
import os
import sys

IN_MODIFY, IN_MOVED_FROM, IN_MOVED_TO, IN_CREATE = 0x2, 0x40, 0x80, 0x100


def watch(folder):
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.inotify_init1(os.O_CLOEXEC)
    if fd < 0 or libc.inotify_add_watch(fd, os.fsencode(folder), IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE) < 0:
        sys.exit(f"inotify: {os.strerror(ctypes.get_errno())}")
    return fd


def main(path, out_path):
    events = watch(os.path.dirname(path))
    out = open(out_path, "ab", buffering=0)
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
            os.read(events, 65536)


main(sys.argv[1], sys.argv[2])
PY
chmod 755 /srv/shipper/ship
