#!/usr/bin/env bash
# Writing while another process writes.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mkfifo statements
sqlite3 app.db <statements &
leftovers+=("$!")
exec 9>statements
echo "BEGIN IMMEDIATE;" >&9
locks() { ! sqlite3 app.db "BEGIN IMMEDIATE; ROLLBACK;" 2>/dev/null; }
wait_for locks
# The lock ends while the right form waits.
(sleep 1.5 && echo "COMMIT;" >&9) &
prove
