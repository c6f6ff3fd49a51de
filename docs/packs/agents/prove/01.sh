#!/usr/bin/env bash
# A unified diff for apply_patch.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

patch_needed
prove
