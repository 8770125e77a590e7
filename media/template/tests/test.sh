#!/bin/bash
# Nothing the agent left behind may decide: close the reward folder first, then clear it, and run the tests in an empty
# environment with Python's isolated mode, so that files in the working directory or the home folder are not picked up.
chmod 700 /logs/verifier
rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json
cd /

env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 \
  python3 -I /tests/verify.py
status=$?

case "$status" in
  0) reward=1 ;;
  10) reward=0 ;;
  # The tests themselves broke: leave the trial without a reward, which is not the same as a wrong answer.
  *) echo "verifier error: verify.py ended with $status" >&2; exit 1 ;;
esac
echo "$reward" > /logs/verifier/reward.txt
