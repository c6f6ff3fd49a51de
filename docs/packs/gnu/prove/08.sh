#!/usr/bin/env bash
# The old notation for any of the permission bits.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

touch a.c
prove
