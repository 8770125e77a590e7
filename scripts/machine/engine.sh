#!/usr/bin/env bash
# Provides a Docker engine on a Debian machine that has none, from Debian's own packages alone.
#
# Does nothing when an engine already answers. Otherwise installs this Debian's docker.io (for runc, which has to match
# the machine's libc) and lays the newer engine, Compose and Buildx of the next Debian release beside it: the older
# engine's BuildKit knows no heredocs in a Dockerfile. Everything newer lives in one folder and leaves the machine's own
# package state alone.
#
#   TASKWRIGHT_ENGINE_DIR   where the newer programs are laid (default: /opt/taskwright-engine)
set -euo pipefail

dir=${TASKWRIGHT_ENGINE_DIR:-/opt/taskwright-engine}
suite=trixie
packages=(docker.io docker-cli docker-compose docker-buildx containerd)

say() { printf 'engine: %s\n' "$*" >&2; }

engine_answers() { docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }

if engine_answers; then
  say "already running ($(docker version --format '{{.Server.Version}}'))"
  exit 0
fi

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  say "no Docker engine answers, and this script can only install one as root on Debian."
  say "Install Docker Engine or Docker Desktop, start it, and run this again."
  exit 2
fi

export DEBIAN_FRONTEND=noninteractive

if ! command -v dockerd >/dev/null || ! command -v debootstrap >/dev/null || ! command -v runc >/dev/null; then
  say "installing docker.io and debootstrap"
  apt-get update -qq
  apt-get install -y -qq docker.io debootstrap iptables >/dev/null
fi

# The newer engine is wanted only where the machine's own is too old for heredocs (BuildKit of engine 23 and later).
major=$(dockerd --version | sed -nE 's/^Docker version ([0-9]+)\..*/\1/p')
path=$PATH
if [ "${major:-0}" -lt 23 ]; then
  if [ ! -x "$dir/usr/sbin/dockerd" ]; then
    say "adding the engine of Debian $suite beside it"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/lists/partial" "$work/debs"
    # The machine's own mirror with another suite: no host is named here.
    mirror=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' \
      | awk -v own="$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")" '$1 == own && $2 == "main" { print $3; exit }')
    [ -n "$mirror" ] || { say "apt knows no mirror of this Debian's main archive"; exit 2; }
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' "$mirror" "$suite" >"$work/sources.list"
    options=(-o "Dir::Etc::sourcelist=$work/sources.list" -o "Dir::Etc::sourceparts=-" -o "Dir::State::Lists=$work/lists"
      -o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache=" -o "APT::Sandbox::User=root")
    apt-get "${options[@]}" update -qq
    (cd "$work/debs" && apt-get "${options[@]}" download "${packages[@]}" >/dev/null)
    mkdir -p "$work/root"
    for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$work/root"; done
    ln -sf "$(command -v runc)" "$work/root/usr/sbin/runc"
    rm -rf "$dir" && mkdir -p "$(dirname "$dir")" && mv "$work/root" "$dir"
  fi
  path="$dir/usr/sbin:$dir/usr/bin:$PATH"
  mkdir -p ~/.docker/cli-plugins
  for plugin in docker-compose docker-buildx; do
    # By its folder: a file of the same name in share/lintian is no program.
    found=$(find "$dir/usr" -path "*/cli-plugins/$plugin" -type f | head -n 1)
    [ -z "$found" ] || install -m 755 "$found" ~/.docker/cli-plugins/
  done
fi

say "starting dockerd"
log=${TASKWRIGHT_ENGINE_LOG:-/var/log/taskwright-dockerd.log}
PATH=$path setsid nohup dockerd >"$log" 2>&1 </dev/null &
for _ in $(seq 1 120); do
  engine_answers && break
  sleep 0.5
done
engine_answers || { say "dockerd did not answer within 60 s; its log is $log"; exit 2; }
say "running ($(docker version --format '{{.Server.Version}}'))"
