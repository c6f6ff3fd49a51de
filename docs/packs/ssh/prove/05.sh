#!/usr/bin/env bash
# Adding a key without an agent.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

cp "$place/id" id
prove
