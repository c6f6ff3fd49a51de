#!/usr/bin/env bash
# Adding a column whose default is the present time.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
