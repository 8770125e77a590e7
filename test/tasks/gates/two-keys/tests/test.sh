#!/bin/bash
chmod 700 /logs/verifier
rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json
if [ -f /answers/answer.txt ] && [ "$(cat /answers/answer.txt)" = 42 ]; then reward=1; else reward=0; fi
echo "{\"exact\": $reward, \"clean\": 0}" > /logs/verifier/reward.json
