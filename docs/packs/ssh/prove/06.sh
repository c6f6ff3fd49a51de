#!/usr/bin/env bash
# The port of scp with the letter of ssh.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

port_2222
server
client
echo note >notes.txt
prove
