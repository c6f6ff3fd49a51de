#!/usr/bin/env bash
# Ordering distinct rows by a value that is not returned.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove cypher
