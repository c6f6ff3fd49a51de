#!/usr/bin/env bash
# Updating from another table in the way of MySQL.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
