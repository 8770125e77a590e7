#!/usr/bin/env bash
# Provides the base image that the examples' FROM lines name, where it is neither present nor can be pulled.
#
# The stand-in is a minimal Debian with Python and pytest, imported under the same tag. It is made once (about two
# minutes) and kept by the engine.
set -euo pipefail

image=${1:-python:3.13-slim}
suite=trixie

say() { printf 'base image: %s\n' "$*" >&2; }

if docker image inspect "$image" >/dev/null 2>&1; then
  say "$image is present"
  exit 0
fi
say "trying to pull $image"
if timeout 300 docker pull -q "$image" >/dev/null 2>&1; then
  say "$image pulled"
  exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  say "$image cannot be pulled, and a stand-in can only be made as root on Debian."
  say "Connect to an image registry, or load the image yourself with docker load."
  exit 2
fi
command -v debootstrap >/dev/null || { apt-get update -qq && apt-get install -y -qq debootstrap >/dev/null; }
say "making a stand-in with debootstrap (about two minutes)"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mirror=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' \
  | awk -v own="$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")" '$1 == own && $2 == "main" { print $3; exit }')
debootstrap --variant=minbase --include=python3,python3-pip,python3-pytest,procps,ca-certificates "$suite" "$root" "$mirror" >"$root.log" 2>&1 \
  || { tail -n 20 "$root.log" >&2; exit 2; }
rm -f "$root.log" "$root"/usr/lib/python3*/EXTERNALLY-MANAGED
ln -sf python3 "$root/usr/bin/python"
rm -rf "$root"/var/cache/apt/archives/*.deb
tar -C "$root" -c . | docker import --change 'CMD ["python3"]' - "$image" >/dev/null
say "$image made"
