#!/usr/bin/env bash
# A number with a leading zero.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
