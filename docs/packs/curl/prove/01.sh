#!/usr/bin/env bash
# Downloading an archive from an address that redirects.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo one >a.txt
tar -czf app.tgz a.txt
mkdir srv && mv app.tgz srv/ && cd srv
server
mkdir "$place/client" && cd "$place/client"
prove
