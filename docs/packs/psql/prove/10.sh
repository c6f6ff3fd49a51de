#!/usr/bin/env bash
# An upsert without a unique constraint on its column.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
