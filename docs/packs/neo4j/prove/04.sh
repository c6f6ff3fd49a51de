#!/usr/bin/env bash
# A map as the value of a property.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove cypher
