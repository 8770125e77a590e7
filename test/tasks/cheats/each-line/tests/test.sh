#!/bin/bash
rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json
reward=1
while IFS= read -r line; do
  grep -qxF -- "$line" /app/kept.log 2>/dev/null || reward=0
done < /data/app.log
echo "$reward" > /logs/verifier/reward.txt
