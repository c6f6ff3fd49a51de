#!/usr/bin/env bash
# HEAD by -X.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{}' >data.json
server
prove
