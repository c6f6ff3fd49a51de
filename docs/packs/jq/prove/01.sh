#!/usr/bin/env bash
# A key with a hyphen.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{"build-id": 7}' >data.json
prove
