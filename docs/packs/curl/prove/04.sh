#!/usr/bin/env bash
# Square brackets in an address.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

touch items
server
prove
