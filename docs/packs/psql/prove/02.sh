#!/usr/bin/env bash
# Connecting without a database.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

psql -q -c 'CREATE ROLE postgres_admin LOGIN'
prove
