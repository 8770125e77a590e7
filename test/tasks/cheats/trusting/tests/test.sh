#!/bin/bash
# Runs pytest as it comes, and never looks at what was in /logs/verifier or /tests before.
pytest /tests/test_state.py
if [ $? -eq 0 ]; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi
