#!/usr/bin/env bash
# Input in which some lines are no JSON.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

printf '%s\n' 'starting up' '{"level":"info"}' >app.log
prove
