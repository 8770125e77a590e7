#!/bin/bash
set -e
chmod 700 /logs/verifier
rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json
grep -qx 42 /answers/answer.txt
echo 1 > /logs/verifier/reward.txt
