#!/usr/bin/env bash
# Connecting as the user of the system.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

[[ "$(id -un)" == root ]] || not_run "the user is not root"
unset PGUSER
prove
