#!/usr/bin/env bash
# A shell's own command after timeout.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mkdir app
prove
