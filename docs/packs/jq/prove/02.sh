#!/usr/bin/env bash
# Iterating over a key that is missing.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{"total": 0}' >data.json
prove
