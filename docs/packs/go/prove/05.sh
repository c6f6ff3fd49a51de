#!/usr/bin/env bash
# A folder without ./ in front.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

module
prove
