#!/usr/bin/env bash
# A host that was never seen, without a terminal.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

server
touch "$place/known"
client
prove
