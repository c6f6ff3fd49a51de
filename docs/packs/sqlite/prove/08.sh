#!/usr/bin/env bash
# AUTOINCREMENT on a column of type INT.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
