#!/usr/bin/env bash
# A version that was never published.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{"name": "app"}' >package.json
prove
