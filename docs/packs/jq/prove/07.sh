#!/usr/bin/env bash
# Objects as lines of CSV.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '[{"id": 1, "name": "a"}]' >data.json
prove
