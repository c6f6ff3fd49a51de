#!/usr/bin/env bash
# An agent with more keys than the server tries.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

server "MaxAuthTries 3"
client "IdentityFile $place/none"
cp "$place/id" id
eval "$(ssh-agent -s)" >/dev/null
leftovers+=("$SSH_AGENT_PID")
for name in 1 2 3 4; do
    ssh-keygen -q -t ed25519 -N '' -f "key$name"
    ssh-add -q "key$name"
done
prove
