#!/usr/bin/env bash
# IFNULL and ISNULL of other databases.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
