#!/usr/bin/env bash
# Deleting a node that has relationships.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove cypher
