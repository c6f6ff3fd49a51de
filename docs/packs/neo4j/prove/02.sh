#!/usr/bin/env bash
# A variable that WITH did not pass on.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove cypher
