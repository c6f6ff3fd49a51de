#!/usr/bin/env bash
# Dropping a database that is in use.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

psql -q -c 'SELECT pg_sleep(25)' >/dev/null 2>&1 &
leftovers+=("$!")
in_use() { psql -d postgres -tAc "SELECT 1 FROM pg_stat_activity WHERE datname = 'app'" | grep -q 1; }
wait_for in_use
prove
