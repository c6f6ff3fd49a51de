#!/usr/bin/env bash
# The port of rsync with the letter of ssh.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

needs rsync
version="$(rsync --version | awk 'NR == 1 { print $1, $3 }')"
port_2222
server
client
echo note >notes.txt
prove
