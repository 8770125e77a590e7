#!/usr/bin/env bash
# From a fresh clone to verdicts: installs, builds, provides a Docker engine and a base image where it may, and gates
# the example. Any arguments take the example's place.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v node >/dev/null || { echo "Node.js 20.19 or later is needed, and no node is on the PATH." >&2; exit 2; }
[ -f node_modules/.package-lock.json ] || npm ci --loglevel error
node scripts/build.mjs
bash scripts/machine/engine.sh
bash scripts/machine/base-image.sh
[ $# -gt 0 ] || set -- examples/log-shipper
exec node dist/cli.js gate "$@"
