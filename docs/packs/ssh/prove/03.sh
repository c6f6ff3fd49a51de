#!/usr/bin/env bash
# A private key without its last line end.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

server
client "IdentityFile $place/none"
KEY="$(cat "$place/id")"
export KEY
prove
