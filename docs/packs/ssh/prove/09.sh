#!/usr/bin/env bash
# An old server with an old key exchange.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

server "KexAlgorithms diffie-hellman-group14-sha1"
client
prove
