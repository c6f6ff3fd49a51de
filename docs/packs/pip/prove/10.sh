#!/usr/bin/env bash
# Adding a dependency where there is no project.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

uv_needed
prove
