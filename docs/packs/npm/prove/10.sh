#!/usr/bin/env bash
# A command that npm 9 removed: set-script.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{"name": "app"}' >package.json
prove
