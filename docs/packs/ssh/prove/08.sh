#!/usr/bin/env bash
# An old server that signs with SHA-1.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

rm "$place/host" "$place/host.pub"
ssh-keygen -q -t rsa -b 2048 -N '' -f "$place/host"
server "HostKeyAlgorithms ssh-rsa"
client
prove
