# Sourced by the proofs of this pack: a server of this machine in the temporary folder, with one role and database `app`.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs psql
PATH="$PATH:$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)"
needs initdb pg_ctl
version_of psql --version
unset PGUSER PGPASSWORD PGDATABASE PGSERVICE PGOPTIONS PGPORT
export PGHOST="$place/server" PSQLRC=/dev/null PGCONNECT_TIMEOUT=5

# The server refuses to run as root, so root hands it to the user nobody.
as_owner() {
    if [[ "$(id -u)" == 0 ]]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi
}
mkdir "$PGHOST"
chmod 711 "$place"
[[ "$(id -u)" != 0 ]] || chown 65534:65534 "$PGHOST"
as_owner initdb -D "$PGHOST/data" -U postgres -A trust --no-sync --locale=C -E UTF8 >/dev/null 2>&1 ||
    not_run "initdb fails"
as_owner pg_ctl -D "$PGHOST/data" -l "$PGHOST/log" -w -o "-k $PGHOST -c listen_addresses= -c fsync=off" start >/dev/null ||
    not_run "the server does not start"
stop_server() {
    as_owner pg_ctl -D "$PGHOST/data" -m immediate stop >/dev/null 2>&1 || true
    clean_up
}
trap stop_server EXIT
psql -q -U postgres -d postgres -c 'CREATE ROLE app LOGIN SUPERUSER' -c 'CREATE DATABASE app OWNER app'
export PGUSER=app
psql -q -c 'CREATE TABLE users (id serial PRIMARY KEY, name text NOT NULL, email text, data jsonb)' \
    -c "INSERT INTO users (name, email, data) VALUES ('Ada', 'ada@example.com', '{\"plan\": \"free\"}')"
