#!/bin/bash
# The hardened run: nothing that an agent left in the log folder, in /tests, in the working directory or in Python's
# site folders is used, and the report has to name the tests that passed.
chmod 700 /logs/verifier
rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json
cd /
# Of help to people only: it does not decide.
/opt/show-format || true
env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 \
  python3 -I -m pytest -q -c /dev/null --rootdir=/tests --noconftest -p no:cacheprovider \
  --junitxml=/tmp/report.xml /tests/test_state.py
status=$?
reward=0
if [ "$status" -eq 0 ] && env -i python3 -I /tests/count_passed.py /tmp/report.xml 2; then
  reward=1
fi
echo "$reward" > /logs/verifier/reward.txt
