#!/usr/bin/env bash
# A server without SFTP.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

server "Subsystem none /bin/false"
client
echo note >notes.txt
prove
