#!/usr/bin/env bash
# A key asked of an array.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{"items": [{"name": "a"}]}' >data.json
prove
