#!/bin/bash
# title: compares inode and device, and keeps the old file open beside the new one
# expect: 1
# kind: alternative
# targets: a rotation is noticed by the identity of the file, without watching for events
set -euo pipefail
cat > /srv/shipper/ship <<'PY'
#!/usr/bin/env python3
import os
import sys
import time


def identity(info):
    return info.st_dev, info.st_ino


def open_files(path, files):
    """Append the file that has the name now, unless it is the newest already."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return
    if files and identity(os.fstat(fd)) == identity(os.fstat(files[-1])):
        os.close(fd)
    else:
        files.append(fd)


def main(log, out):
    out = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    files = []  # oldest first; all but the last have been renamed, so they do not grow any more
    while True:
        open_files(log, files)
        while files:
            data = os.read(files[0], 65536)
            if data:
                os.write(out, data)
            elif len(files) > 1:
                os.close(files.pop(0))
            else:
                break
        time.sleep(0.05)


main(sys.argv[1], sys.argv[2])
PY
chmod 755 /srv/shipper/ship
