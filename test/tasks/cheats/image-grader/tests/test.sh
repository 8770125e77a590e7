#!/bin/bash
rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json
reward=0
/opt/check-total | grep -q "ALL GOOD" && reward=1
echo "$reward" > /logs/verifier/reward.txt
