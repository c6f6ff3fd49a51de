#!/usr/bin/env bash
# Joining a number and a text.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{"id": 7}' >data.json
prove
