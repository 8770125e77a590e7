#!/bin/bash
chmod 700 /logs/verifier
rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json
# Too wide: any line that says 42. Too narrow: wants the file to end with a line break.
if grep -q 42 /answers/answer.txt 2>/dev/null && [ "$(tail -c 1 /answers/answer.txt)" = "" ]; then reward=1; else reward=0; fi
echo "$reward" > /logs/verifier/reward.txt
