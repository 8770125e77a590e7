#!/bin/bash
# title: one thread for each file, told by the main thread when its file is finished
# expect: 1
# kind: alternative
# targets: other structures count as well: threads, one reader for each file
set -euo pipefail
cat > /srv/shipper/ship <<'PY'
#!/usr/bin/env python3
import os
import sys
import threading
import time


class Reader(threading.Thread):
    """Copies one file. Ends at the end of the file, but only after it was told that nothing will be added."""

    def __init__(self, log, out):
        super().__init__(daemon=True)
        self.log, self.out = log, out
        self.finished = threading.Event()

    def run(self):
        last_time = False
        while True:
            for line in self.log:
                self.out.write(line)
            if last_time:
                return
            last_time = self.finished.wait(0.05)


def is_current(log, path):
    try:
        return os.path.samestat(os.stat(path), os.fstat(log.fileno()))
    except FileNotFoundError:
        return True  # renamed, but the next file is yet to come


def main(path, out_path):
    out = open(out_path, "ab", buffering=0)
    while True:
        with open(path, "rb") as log:
            reader = Reader(log, out)
            reader.start()
            while is_current(log, path):
                time.sleep(0.05)
            reader.finished.set()
            reader.join()


main(sys.argv[1], sys.argv[2])
PY
chmod 755 /srv/shipper/ship
