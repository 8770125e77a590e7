#!/bin/sh
# Says what an agent finds in the image, as key=value lines on standard output; a key may occur several times, and the
# last line is end=1. Plain POSIX shell: other tools are used only where they are there. Folders to look at, besides the
# working directory, come as arguments. It changes nothing but a scratch file of its own.
set -u

say() { # key value
  case $2 in
    *"
"*) ;; # no line of ours holds a line break
    *) printf '%s=%s\n' "$1" "$2" ;;
  esac
}

have() { command -v "$1" >/dev/null 2>&1; }

run() { # command that may not hang
  if have timeout; then timeout 10 "$@" 2>/dev/null; else "$@" 2>/dev/null; fi
}

# Identity and places.
if have id; then
  say uid "$(id -u)"
  say gid "$(id -g)"
  say user "$(id -un 2>/dev/null)"
fi
say home "${HOME:-}"
workdir=$(pwd)
say workdir "$workdir"
say path "${PATH:-}"
for folder in / /etc /usr/local /logs/verifier /tmp; do
  [ -d "$folder" ] && [ -w "$folder" ] && say writable "$folder"
done
# The tests' folder is usually not there yet: then it is the root folder that decides.
if [ -d /tests ]; then
  say tests present
  [ -w /tests ] && say writable /tests
else
  say tests absent
  [ -w / ] && say writable /tests
fi
case $workdir in
  / | /etc | /usr/local | /logs/verifier | /tmp | /tests) ;;
  *) [ -w "$workdir" ] && say writable "$workdir" ;;
esac
old_ifs=$IFS
IFS=:
set -f
for folder in ${PATH:-}; do
  [ -d "$folder" ] && [ -w "$folder" ] && say path-writable "$folder"
done
set +f
IFS=$old_ifs

# Shells and tools.
for tool in bash dash sh zsh setsid nohup timeout mkfifo cc gcc as ld python3 python node perl ruby nc socat cron crond \
  inotifywait mount chattr pytest pip uv jq curl wget git make npm; do
  have "$tool" && say tool "$tool"
done

# Pythons, each once by its real path.
seen=:
n=0
look() { # python
  [ -f "$1" ] && [ -x "$1" ] || return 0
  real=$1
  have readlink && real=$(readlink -f "$1")
  case $seen in *":$real:"*) return 0 ;; esac
  seen=$seen$real:
  n=$((n + 1))
  say python "$real"
  run "$1" -c '
import os, site, sys, sysconfig
number = sys.argv[1]
def say(key, value):
    if "\n" not in str(value):
        print("python.%s.%s=%s" % (number, key, value))
say("version", "%d.%d.%d" % sys.version_info[:3])
for folder in site.getsitepackages() if hasattr(site, "getsitepackages") else []:
    say("site", folder)
    if os.path.isdir(folder) and os.access(folder, os.W_OK):
        say("site-writable", folder)
say("user-site", site.getusersitepackages() if hasattr(site, "getusersitepackages") else "")
say("user-site-enabled", "yes" if site.ENABLE_USER_SITE else "no")
say("purelib", sysconfig.get_path("purelib"))
say("managed", "yes" if os.path.exists(os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")) else "no")
custom = sys.modules.get("sitecustomize")
if custom is not None:
    say("sitecustomize", getattr(custom, "__file__", ""))
try:
    from importlib import metadata
    for name in ("pytest", "pluggy"):
        try:
            say(name, metadata.version(name))
        except metadata.PackageNotFoundError:
            pass
    points = metadata.entry_points()
    for point in points.select(group="pytest11") if hasattr(points, "select") else points.get("pytest11", []):
        say("pytest11", point.name)
except ImportError:
    pass
' "$n" </dev/null
}
IFS=:
set -f
for folder in ${PATH:-} /usr/bin /usr/local/bin "${HOME:-/root}/.local/bin"; do
  IFS=$old_ifs
  set +f
  for python in "$folder"/python3 "$folder"/python3.[0-9] "$folder"/python3.[0-9][0-9]; do look "$python"; done
  set -f
  IFS=:
done
set +f
IFS=$old_ifs
for python in /opt/*/bin/python3 ./*venv*/bin/python3 ./.venv/bin/python3 /*venv*/bin/python3 /.venv/bin/python3; do
  look "$python"
done

# Test surfaces in and above the folders.
surface() { # folder
  folder=$1
  while :; do
    for name in conftest.py pytest.ini pyproject.toml tox.ini setup.cfg package.json Makefile Cargo.toml go.mod; do
      case $surfaces in *":${folder%/}/$name:"*) continue ;; esac
      if [ -e "${folder%/}/$name" ]; then
        say surface "${folder%/}/$name"
        surfaces=$surfaces${folder%/}/$name:
      fi
    done
    case $folder in '' | /) break ;; esac
    folder=${folder%/*}
    [ -n "$folder" ] || folder=/
  done
}
surfaces=:
surface "$workdir"
for folder in "$@"; do surface "$folder"; done

# Leftovers near the working directory.
if have find && [ "$workdir" != / ]; then
  run find "$workdir" -maxdepth 4 \( -name .git -o -name '*.pyc' -o -iname '*expected*' -o -iname '*golden*' \
    -o -iname '*answer*' -o -iname '*truth*' -o -iname '*oracle*' -o -iname '*solution*' \) -print |
    while IFS= read -r name; do say leftover "$name"; done
fi
for name in .bash_history .zsh_history .python_history .node_repl_history; do
  [ -s "${HOME:-/root}/$name" ] && say leftover "${HOME:-/root}/$name"
done
for name in .cache/pip .cache/uv .npm; do
  [ -d "${HOME:-/root}/$name" ] && say cache "${HOME:-/root}/$name"
done
say end 1
