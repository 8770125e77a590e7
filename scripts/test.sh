#!/usr/bin/env bash
# Runs every test, from a fresh clone on: `npm test`. Options are passed on (`npm test -- --only core,package`).
set -euo pipefail
cd "$(dirname "$0")/.."

command -v node >/dev/null || { echo "Node.js 20.19 or later is needed, and no node is on the PATH." >&2; exit 2; }
[ -f node_modules/.package-lock.json ] || npm ci --loglevel error
exec node scripts/test.mjs "$@"
