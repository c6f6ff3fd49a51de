#!/usr/bin/env bash
# A private key that others can read.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

server
client "IdentityFile $place/none"
cp "$place/id" id
chmod 644 id
prove
