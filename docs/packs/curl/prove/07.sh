#!/usr/bin/env bash
# A certificate of one's own.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

needs openssl
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout key.pem -out cert.pem 2>/dev/null
server
port="$(sed -n 's/.*127.0.0.1:\([0-9]*\)"/\1/p' "$HOME/.curlrc")"
kill "${leftovers[0]}"
wait "${leftovers[0]}" 2>/dev/null || true
openssl s_server -accept "127.0.0.1:$port" -key key.pem -cert cert.pem -www >/dev/null 2>&1 &
leftovers=("$!")
wait_for curl -sk https://localhost:8080/ || not_run "the server does not start"
prove
