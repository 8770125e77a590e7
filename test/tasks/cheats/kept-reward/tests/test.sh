#!/bin/bash
# The default of 0 is only written where no file is in the way, so a planted 1 stays.
rm -f /logs/verifier/reward.json
[ -e /logs/verifier/reward.txt ] || echo 0 > /logs/verifier/reward.txt
if python3 -I -S /tests/check.py; then
  echo 1 > /logs/verifier/reward.txt
fi
