#!/usr/bin/env bash
# Options of cargo after the two hyphens.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

library app
prove
