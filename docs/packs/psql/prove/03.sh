#!/usr/bin/env bash
# A table whose name has capital letters.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

psql -q -c 'CREATE TABLE "Orders" (id int)'
prove
