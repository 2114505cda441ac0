#!/bin/sh
# Starts tabcast from its unpacked folder: from any working directory, through a symbolic link, with nothing in PATH but node.
set -eu

# Exit code 78: wrong configuration, on which a supervisor does not start again.
command -v node > /dev/null || { echo 'tabcast: node is not in PATH: install Node.js 20.19 or newer' >&2; exit 78; }

# In words that every node understands, so that an old one can say that it is old.
root=$(node -e '
var version = process.versions.node.split(".").map(Number)
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  console.error("tabcast: Node.js 20.19 or newer is needed, and " + process.execPath + " is " + process.versions.node)
  process.exit(78)
}
console.log(require("path").dirname(require("fs").realpathSync(process.argv[1])))' "$0")

# What the embedded queue runs unless TABCAST_NATS_SERVER, or a settings file, names another one.
export NATS_SERVER="$root/bin/nats-server"
exec node "$root/dist/cli.js" "$@"
