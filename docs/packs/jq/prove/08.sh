#!/usr/bin/env bash
# if without else in an old jq.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{"id": 7}' >data.json
prove
