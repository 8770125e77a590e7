#!/bin/bash
set -e

logs=/logs/verifier
/usr/bin/chmod 700 "$logs"
/usr/bin/rm -rf "$logs/reward.txt" "$logs/reward.json"
cd /

python=/usr/local/bin/python3
[ -x "$python" ] || python=/usr/bin/python3

# Here is the flaw: when the tests fail, `set -e` ends the script at this line, and no reward is written.
/usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 \
  /usr/bin/timeout --kill-after=5 90 "$python" -I -S -B /tests/test_shipper.py

if [ $? -eq 0 ]; then
  echo 1 > "$logs/reward.txt"
else
  echo 0 > "$logs/reward.txt"
fi
