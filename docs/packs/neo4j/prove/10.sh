#!/usr/bin/env bash
# A procedure of APOC on a server without it.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove cypher
