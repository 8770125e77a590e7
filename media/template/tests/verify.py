"""Judges /app/totals.json. Exit code 0: right. 10: wrong. Anything else: these tests broke."""

import csv
import json
import os
import stat
import sys
import unittest

ORDERS = "/app/orders.csv"
TOTALS = "/app/totals.json"
# The agent could change its own copy: what is expected is worked out from this one.
PRISTINE = "/tests/orders.csv"
LARGEST_ANSWER = 1_000_000


def read_regular(path, limit):
    """Reads a file of at most `limit` bytes, and never one that a link, a pipe or a device stands in for."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is not a regular file")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(f"{path} is larger than {limit} bytes")
    return data


def expected_totals():
    totals = {}
    with open(PRISTINE, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            orders, cents = totals.get(row["customer"], (0, 0))
            totals[row["customer"]] = (orders + 1, cents + int(row["cents"]))
    ranking = sorted(totals.items(), key=lambda item: (-item[1][1], item[0]))
    return [{"customer": name, "orders": orders, "cents": cents} for name, (orders, cents) in ranking]


EXPECTED = expected_totals()


class TotalsTest(unittest.TestCase):
    maxDiff = None

    def read(self, path):
        try:
            return read_regular(path, LARGEST_ANSWER)
        except OSError as error:
            self.fail(f"{path} cannot be read as a regular file: {error}")

    def test_orders_are_unchanged(self):
        with open(PRISTINE, "rb") as file:
            self.assertEqual(self.read(ORDERS), file.read())

    def test_totals_are_exact(self):
        try:
            answer = json.loads(self.read(TOTALS).decode("utf-8"))
        except (ValueError, RecursionError) as error:
            self.fail(f"{TOTALS} is not JSON in UTF-8: {error}")
        self.assertEqual(answer, EXPECTED)

    def test_numbers_are_integers(self):
        # Python takes 1, 1.0 and true for equal; the instruction asks for integers.
        try:
            answer = json.loads(self.read(TOTALS).decode("utf-8"))
            numbers = [entry[key] for entry in answer for key in ("orders", "cents")]
        except (ValueError, RecursionError, KeyError, TypeError) as error:
            self.fail(f"{TOTALS} does not have the form asked for: {error!r}")
        self.assertEqual({type(number) for number in numbers}, {int})


if __name__ == "__main__":
    # What the agent wrote may hold characters that no encoding takes; showing them must not break the run.
    sys.stdout.reconfigure(errors="backslashreplace")
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(TotalsTest)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    # A run in which a test went missing or was skipped shows nothing.
    if result.testsRun != 3 or result.skipped or result.errors:
        sys.exit(1)
    sys.exit(0 if result.wasSuccessful() else 10)
