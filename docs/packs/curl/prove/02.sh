#!/usr/bin/env bash
# Piping a script that has moved into a shell.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo 'echo done' >setup.sh
server
prove
