#!/usr/bin/env bash
# A row after rows were imported with their numbers.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

psql -q -c "INSERT INTO users (id, name) VALUES (2, 'Bob'), (3, 'Eve')"
prove
