#!/bin/bash
# Looks for the module pytest in the folder that the agent worked in.
rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json
cd /app
if python3 -m pytest -c /dev/null --rootdir=/tests --noconftest -p no:cacheprovider /tests/test_state.py; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi
