#!/usr/bin/env bash
# A new variable in a pattern of WHERE.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove cypher
