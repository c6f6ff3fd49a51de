#!/usr/bin/env bash
# A terminal where there is none.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

image
prove
