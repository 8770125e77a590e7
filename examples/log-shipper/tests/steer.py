"""Runs a program as an unprivileged child and, if wanted, stops it at its system calls.

A race between the program and the rotation of its log cannot be hit by chance, so the tests decide where the program
stands when the rotation happens. ptrace does that: the program and everything it starts (threads and processes) stop
whenever they enter or leave a system call, and wait there until the test lets them go on.

Only children of the verifier are traced. Docker's default seccomp profile permits that, with no added capability.
"""

import ctypes
import os
import resource
import signal
import struct
import time
from typing import NamedTuple

NOBODY = 65534  # user and group; by number, as an agent may have changed the names

LARGEST_FILE = 64 << 20

PR_SET_CHILD_SUBREAPER = 36
PTRACE_SYSCALL = 24
PTRACE_SEIZE = 0x4206
PTRACE_INTERRUPT = 0x4207
PTRACE_LISTEN = 0x4208
PTRACE_GET_SYSCALL_INFO = 0x420E

# Mark system calls, follow fork, vfork, clone and exec, and let no child outlive the verifier.
OPTIONS = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x100000
EVENT_STOP = 128
SYSCALL_STOP = signal.SIGTRAP | 0x80
STOPPING_SIGNALS = (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
WALL = 0x40000000

ENTRY, EXIT = 1, 2
# Numbers of read, readv, pread64 and preadv by the tag of the architecture (AUDIT_ARCH_*) that the kernel reports.
READS = {0xC000003E: {0, 19, 17, 295}, 0xC00000B7: {63, 65, 67, 69}}

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def ptrace(request, pid, address=0, data=0):
    result = libc.ptrace(request, pid, address, data)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"ptrace: {os.strerror(error)}")
    return result


class Stop(NamedTuple):
    """One stop of a thread at a system call."""

    place: tuple  # entry or exit, and the numbers of the thread's last two calls: tells where in its code the thread is
    found_nothing: bool  # the end of a read that had nothing left to read


class Program:
    """A running program, as the user nobody, in a session of its own."""

    def __init__(self, argv, *, output, traced):
        self.gone = False
        self._held = None
        self._calls = {}
        # What the program leaves behind becomes a child of the verifier, so it runs as long as any of it does.
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        # SIGCHLD stays blocked, so that waiting for it cannot miss one.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        ready, go = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(go)
            _become(argv, ready, output)
        os.close(ready)
        try:
            if traced:
                ptrace(PTRACE_SEIZE, self.pid, 0, OPTIONS)
            os.write(go, b"!")
        finally:
            os.close(go)

    def step(self, timeout):
        """Let the program run until it stops at a system call; None if it does not do so in time."""
        self._release()
        end = time.monotonic() + timeout
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG | WALL)
            except ChildProcessError:
                self.gone = True
                return None
            if pid:
                stop = self._handle(pid, status)
                if stop:
                    return stop
            left = end - time.monotonic()
            if left <= 0:
                return None
            if not pid:
                signal.sigtimedwait({signal.SIGCHLD}, left)

    def forget(self):
        """Let the places of the coming stops depend only on what the program does from now on."""
        self._calls.clear()

    def kill(self):
        """End every process of the account, wherever the program has put it."""
        killer = os.fork()
        if killer == 0:
            try:
                _drop_privileges()
                os.kill(-1, signal.SIGKILL)
            except ProcessLookupError:
                pass
            finally:
                os._exit(0)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG | WALL)
            except ChildProcessError:
                break
            if not pid:
                signal.sigtimedwait({signal.SIGCHLD}, 0.05)
        self.gone = True

    def _release(self):
        if self._held is not None:
            held, self._held = self._held, None
            self._resume(held)

    def _resume(self, pid, request=PTRACE_SYSCALL, with_signal=0):
        try:
            ptrace(request, pid, 0, with_signal)
        except ProcessLookupError:
            pass  # killed meanwhile; its end is reported by waitpid

    def _handle(self, pid, status):
        if not os.WIFSTOPPED(status):
            self._calls.pop(pid, None)
            return None
        number, event = os.WSTOPSIG(status), status >> 16
        if number == SYSCALL_STOP:
            self._held = pid
            return self._describe(pid)
        if event == EVENT_STOP and number in STOPPING_SIGNALS:
            self._resume(pid, PTRACE_LISTEN)
        elif event:
            self._resume(pid)
        else:
            self._resume(pid, with_signal=number)
        return None

    def _describe(self, pid):
        calls = self._calls.get(pid, ())
        info = ctypes.create_string_buffer(88)
        try:
            ptrace(PTRACE_GET_SYSCALL_INFO, pid, len(info), ctypes.addressof(info))
        except OSError:
            # An old kernel does not tell which call it is, so they are counted.
            self._calls[pid] = (*calls, None)
            return Stop((None, len(calls)), False)
        kind, arch = struct.unpack_from("=B3xI", info)
        (value,) = struct.unpack_from("=q", info, 24)
        if kind == ENTRY:
            self._calls[pid] = calls = (*calls, value)[-2:]
        nothing = kind == EXIT and value == 0 and bool(calls) and calls[-1] in READS.get(arch, ())
        return Stop((kind, *calls), nothing)


def check():
    """Raise OSError unless this machine lets the tests do what they need: change user, and trace a child."""
    if os.geteuid() != 0:
        raise PermissionError("the verifier does not run as root")
    pid = os.fork()
    if pid == 0:
        time.sleep(30)
        os._exit(0)
    try:
        ptrace(PTRACE_SEIZE, pid, 0, OPTIONS)
        ptrace(PTRACE_INTERRUPT, pid)
    finally:
        os.kill(pid, signal.SIGKILL)
        while not os.WIFSIGNALED(os.waitpid(pid, WALL)[1]):
            pass


def _become(argv, ready, output):
    """In the child: wait for the tracer, give up every privilege, become the program."""
    try:
        if os.read(ready, 1) != b"!":
            os._exit(127)
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.closerange(3, 1024)
        os.chdir("/")
        os.umask(0o022)
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
        _drop_privileges()
        for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(ignored_by_python, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.execve(argv[0], argv, {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"})
    except BaseException as error:
        os.write(2, f"cannot start {argv[0]}: {error}\n".encode())
    finally:
        os._exit(127)


def _drop_privileges():
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
