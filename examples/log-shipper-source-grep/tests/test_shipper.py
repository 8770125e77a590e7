"""Tests of /srv/shipper/ship that also prescribe how the program has to be written."""

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

SHIP = "/srv/shipper/ship"
EXPECTED_TESTS = 2
PASSED, FAILED = 0, 4  # exit codes; 1 is Python's own, for a program that broke
LIMIT = 4.0  # seconds for a line to arrive; the instruction grants 2


class ShipperTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="shipping-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        os.chmod(self.folder, 0o755)
        nobody = pwd.getpwnam("nobody")
        for name in ("log", "out"):
            os.mkdir(os.path.join(self.folder, name), 0o755)
        os.chown(os.path.join(self.folder, "out"), nobody.pw_uid, nobody.pw_gid)
        self.log = os.path.join(self.folder, "log", "app.log")
        self.out = os.path.join(self.folder, "out", "copy.txt")
        self.nonce = secrets.token_hex(8)
        self.lines = []
        self.rotations = 0
        self.write("there before the start")
        self.program = subprocess.Popen(
            [SHIP, self.log, self.out],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
            user=nobody.pw_uid,
            group=nobody.pw_gid,
            extra_groups=[],
            start_new_session=True,
        )
        self.addCleanup(self.end)

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.program.pid, signal.SIGKILL)
        self.program.wait()

    def write(self, *texts):
        with open(self.log, "ab", buffering=0) as log:
            for text in texts:
                line = f"{len(self.lines) + 1:04d} {self.nonce} {text}\n".encode()
                log.write(line)
                self.lines.append(line)

    def rotate(self):
        for number in range(self.rotations, 0, -1):
            os.rename(f"{self.log}.{number}", f"{self.log}.{number + 1}")
        os.rename(self.log, f"{self.log}.1")
        self.rotations += 1
        self.write("in the new file")

    def copied(self):
        try:
            fd = os.open(self.out, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return b""
        with open(fd, "rb") as out:
            self.assertTrue(stat.S_ISREG(os.fstat(fd).st_mode), "the output is not a regular file")
            return out.read(1 << 20)

    def expect_all(self):
        """Wait until the output is what was written; stop as soon as it cannot become that any more."""
        expected = b"".join(self.lines)
        end = time.monotonic() + LIMIT
        while (content := self.copied()) != expected:
            self.assertTrue(expected.startswith(content), f"the output differs after {self.rotations} rotations")
            self.assertLess(time.monotonic(), end, f"lines are missing after {self.rotations} rotations")
            self.assertIsNone(self.program.poll(), "the program has ended")
            time.sleep(0.02)

    def test_copies_across_rotations(self):
        self.expect_all()
        for _ in range(3):
            self.write("just before the rename", "last line")
            self.rotate()
            self.write(*(f"later {number}" for number in range(20)))
            self.expect_all()
        self.write("last")
        self.expect_all()

    def test_notices_the_rename_by_the_inode(self):
        # Here is the flaw: a right program can do without this word.
        with open(SHIP, encoding="utf-8", errors="replace") as source:
            self.assertIn("st_ino", source.read())


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(ShipperTest)
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, failfast=True, resultclass=Result)
    sys.exit(PASSED if runner.run(suite).passed == EXPECTED_TESTS else FAILED)
