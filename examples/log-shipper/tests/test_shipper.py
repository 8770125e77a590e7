"""Tests of /srv/shipper/ship: the whole output is compared, byte for byte, with what was written to the log."""

import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
import types
import typing
import unittest

SHIP = "/srv/shipper/ship"
EXPECTED_TESTS = 3
# Exit codes. Python itself ends with 1 when a program breaks, which says nothing about the service.
PASSED, UNABLE, FAILED = 0, 3, 4

# The instruction grants 2 s; the rest is for a busy machine.
LIMIT = 5.0
# A line that has to arrive within 2 s leaves no room for a pause longer than that.
LONGEST_PAUSE = 2.2


def load(path):
    """Import a file of this folder from its source, whatever compiled files lie around."""
    module = types.ModuleType(os.path.splitext(os.path.basename(path))[0])
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), module.__dict__)
    return module


steer = load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "steer.py"))


class Writer:
    """Writes the log as the instruction describes, and knows what the output has to be."""

    def __init__(self, path):
        self.path = path
        self.nonce = secrets.token_hex(8)
        self.expected = bytearray()
        self.rotations = 0
        self._lines = 0
        self._fd = None
        print(f"  nonce of this run: {self.nonce}", flush=True)

    def create(self):
        self._fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)

    def write(self, *texts):
        """One line for each text, each in a write of its own."""
        for text in texts:
            self._lines += 1
            self.write_raw(f"{self._lines:05d} {self.nonce} {secrets.token_hex(4)} {text}\n".encode())

    def write_raw(self, line):
        self.expected += line
        if os.write(self._fd, line) != len(line):
            raise OSError("the log could not be written")

    def rename(self):
        os.close(self._fd)
        self._fd = None
        for number in range(self.rotations, 0, -1):
            os.rename(f"{self.path}.{number}", f"{self.path}.{number + 1}")
        os.rename(self.path, f"{self.path}.1")
        self.rotations += 1

    def close(self):
        if self._fd is not None:
            os.close(self._fd)


class ShipperTest(unittest.TestCase):
    def setUp(self):
        print(f"\n{self._testMethodName}", flush=True)
        self.folder = tempfile.mkdtemp(prefix="shipping-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        os.chmod(self.folder, 0o755)
        for name in ("log", "out"):
            os.mkdir(os.path.join(self.folder, name), 0o755)
        os.chown(os.path.join(self.folder, "out"), steer.NOBODY, steer.NOBODY)
        self.out = os.path.join(self.folder, "out", "copy.txt")
        self.writer = Writer(os.path.join(self.folder, "log", "app.log"))
        self.addCleanup(self.writer.close)
        self.writer.create()

    def start(self, *, traced=False):
        with open(os.path.join(self.folder, "printed.txt"), "wb") as printed:
            self.program = steer.Program([SHIP, self.writer.path, self.out], output=printed.fileno(), traced=traced)
        self.addCleanup(self.program.kill)

    def copied(self):
        """What the output holds; it must be the beginning of what was written."""
        try:
            fd = os.open(self.out, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return b""
        except OSError as error:
            self.fail(f"the output cannot be opened as a regular file: {error}")
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                self.fail("the output is not a regular file")
            content = bytearray()
            while len(content) <= len(self.writer.expected):
                piece = os.read(fd, len(self.writer.expected) + 1 - len(content))
                if not piece:
                    break
                content += piece
        finally:
            os.close(fd)
        if not self.writer.expected.startswith(content):
            self.fail(self.difference(content))
        return content

    def difference(self, content):
        wanted, found = self.writer.expected.splitlines(True), content.splitlines(True)
        for number, line in enumerate(found):
            if number == len(wanted):
                return f"the output goes on after the last line, with {bytes(line[:80])!r}"
            if line != wanted[number]:
                return (
                    f"line {number + 1} of the output should be {bytes(wanted[number][:80])!r}, "
                    f"but is {bytes(line[:80])!r} ({self.writer.rotations} rotations so far)"
                )
        return "the output differs"

    def complete(self):
        return len(self.copied()) == len(self.writer.expected)

    def expect_all(self):
        """Wait until every line is there; stop at the first that is wrong, or late."""
        end = time.monotonic() + LIMIT
        while not self.complete():
            late = time.monotonic() >= end
            if late or self.program.gone:
                missing = bytes(self.writer.expected[len(self.copied()) :]).splitlines(True)
                if missing:
                    why = f"within {LIMIT:g} s" if late else "and the program has ended"
                    self.fail(
                        f"not in the output {why}: {missing[0][:80]!r} and {len(missing) - 1} more lines "
                        f"({self.writer.rotations} rotations so far); the program printed {self.printed()!r}"
                    )
            self.program.step(0.01)

    def expect_nothing_more(self):
        """Something written twice may come late: look again when an idle program had its time."""
        end = time.monotonic() + 0.3
        while time.monotonic() < end and not self.program.gone:
            self.program.step(0.05)
        self.assertTrue(self.complete())

    def printed(self):
        with open(os.path.join(self.folder, "printed.txt"), "rb") as printed:
            return printed.read(4000)[-400:].decode(errors="replace")

    def run_for(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.program.step(left)
            if self.program.gone:
                time.sleep(max(0, end - time.monotonic()))

    # ----------------------------------------------------------------------------------------------------------------

    def test_1_copies_a_log_that_is_not_rotated(self):
        self.writer.write("there before the start", "  with blanks  ", "\ttab, Grüße, 日本語")
        self.start()
        self.expect_all()
        self.writer.write("added later")
        self.expect_all()
        self.writer.write_raw(b"\n")
        self.writer.write("x" * 950, *(f"burst {number}" for number in range(300)))
        self.expect_all()
        self.expect_nothing_more()

    def test_2_copies_across_rotations(self):
        self.writer.write("first file")
        self.start()
        self.expect_all()
        for gap in (0, 0.2, 0, 0.7, 0):
            self.writer.write(*(f"before the rename {number}" for number in range(40)))
            self.writer.rename()
            if gap:
                self.run_for(gap)
            self.writer.create()
            self.writer.write(*(f"in the new file {number}" for number in range(3)))
            self.expect_all()
            self.writer.write("later")
            self.expect_all()
        self.expect_nothing_more()

    def test_3_copies_wherever_the_rotation_finds_it(self):
        """Rotate at every point of what the program does between a line and the next.

        Lines are lost by a program that finds nothing more in the old file, then sees the new one, and does not look
        into the old one again: lines may have come in between. So the program is stopped at each system call in turn,
        and the log gets its last lines and is rotated there. What the program does is not judged, only the output.
        """
        self.writer.write("first file")
        self.start(traced=True)
        self.expect_all()
        # Once without steering, so that what the program does only the first time is not taken for its habit.
        self.rotate_at(Point(None, 0, 0, 0), 0)
        places, empty_reads, pause = self.watch()
        points = points_to_try(places, empty_reads)
        print(f"  {len(places)} places from a line to the next, {len(points)} points to try", flush=True)
        end = time.monotonic() + 60
        for tried, point in enumerate(points):
            # A program that is slow but right may not use up the time of the verifier.
            if tried >= 12 and time.monotonic() > end:
                print(f"  enough after {tried} points", flush=True)
                break
            self.rotate_at(point, pause)
        self.assertGreaterEqual(self.writer.rotations, 3)
        self.expect_nothing_more()

    def watch(self):
        """Write a line, and watch the program until it is copied, and long enough for it to look at the name again.

        Gives the places where it stopped, each with the time that it took to get there first; how many reads found
        nothing after the line was copied; and the time without a stop after which the program can be taken to rest.
        """
        self.program.forget()
        self.writer.write("watched")
        places, empty_reads, longest = {}, 0, 0.0
        copied_at = None
        start = time.monotonic()
        end = start + LIMIT
        while time.monotonic() < end:
            before = time.monotonic()
            stop = self.program.step(LONGEST_PAUSE)
            if stop is None:
                break
            longest = max(longest, time.monotonic() - before)
            places.setdefault(stop.place, time.monotonic() - start)
            if copied_at is None and self.complete():
                copied_at = time.monotonic()
                end = copied_at + LONGEST_PAUSE
            if copied_at is not None:
                empty_reads += stop.found_nothing
        self.expect_all()
        return places, empty_reads, min(LONGEST_PAUSE, max(0.3, 2 * longest))

    def rotate_at(self, point, pause):
        self.program.forget()
        self.writer.write("wake up")
        self.go_to(point, pause)
        # Here the program stands still, unless it waits for something.
        self.writer.write("just before the rename", "last line")
        self.writer.rename()
        if point.gap:
            self.run_for(point.gap)
        self.writer.create()
        self.writer.write("in the new file")
        self.expect_all()

    def go_to(self, point, pause):
        """Let the program run to the point. Where it never gets there, any other place will do."""
        empty_reads = 0
        end = time.monotonic() + 2 * point.after + 0.3
        while point.place or point.empty_reads:
            stop = self.program.step(pause)
            if stop is None or stop.place == point.place or time.monotonic() > end:
                break
            if point.empty_reads:
                empty_reads += stop.found_nothing and self.complete()
                if empty_reads == point.empty_reads:
                    break


class Point(typing.NamedTuple):
    """Where the program is when the log is rotated: at a place in its code, or after so many reads of nothing."""

    place: tuple | None
    empty_reads: int
    after: float  # seconds that it took to get there before
    gap: float  # seconds without a file of that name


def points_to_try(places, empty_reads, most=24):
    """First where a read has found nothing: lines are lost there. Then all others, thinned out if they are many."""
    first = range(1, min(empty_reads, 3) + 1)
    points = [Point(None, number, LONGEST_PAUSE, gap) for number in first for gap in (0, 0.05)]
    places = [(None, 0.0), *places.items()]
    step = max(1, len(places) / most)
    # Leaving a system call and entering the next is the same point for the program, so each is tried both ways.
    for index in range(min(len(places), most)):
        number = int(index * step)
        place, after = places[number]
        points.append(Point(place, 0, after, 0.05 if number % 2 else 0))
    return points


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def main(report):
    try:
        steer.check()
    except OSError as error:
        print(f"this machine cannot run the tests: {error}", flush=True)
        return UNABLE
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(ShipperTest)
    # A missing line decides, so nothing is run after the first failure.
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, failfast=True, resultclass=Result).run(suite)
    good = result.wasSuccessful() and not result.skipped and result.passed == EXPECTED_TESTS
    with open(report, "w", encoding="ascii") as file:
        file.write(f"passed {result.passed} of {EXPECTED_TESTS}\n")
    return PASSED if good else FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
