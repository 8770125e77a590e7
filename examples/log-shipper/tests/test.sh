#!/bin/bash
# Writes 1 to reward.txt if all tests pass, 0 if one fails, and nothing if the tests could not be run at all.
#
# An agent had this container to itself before. So: close the log folder and remove whatever was planted there; take
# nothing from the environment, the working directory, /tests or the site folders of Python (-I -S); run the service
# in a child process as nobody, and end it afterwards (steer.py).

logs=/logs/verifier
/usr/bin/chmod 700 "$logs"
/usr/bin/rm -rf "$logs/reward.txt" "$logs/reward.json" "$logs/tests.txt"
cd /

python=/usr/local/bin/python3
[ -x "$python" ] || python=/usr/bin/python3

/usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 \
  /usr/bin/timeout --kill-after=5 240 "$python" -I -S -B /tests/test_shipper.py "$logs/tests.txt"
status=$?

case "$status" in
  0 | 4) ;;
  # The time was up, or the tests were killed: a service can bring that about, so it counts as a failure.
  124 | 137) echo "the tests did not end (status $status)" ;;
  *)
    echo "verifier error: the tests could not be run (status $status)" >&2
    exit 1
    ;;
esac

reward=0
if [ "$status" -eq 0 ] && [ "$(/usr/bin/cat "$logs/tests.txt")" = "passed 3 of 3" ]; then
  reward=1
fi
echo "$reward" > "$logs/reward.txt"
