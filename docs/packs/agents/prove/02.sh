#!/usr/bin/env bash
# A patch from memory.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

patch_needed
prove
