#!/usr/bin/env bash
# Merging by a value that is null.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove cypher
