#!/usr/bin/env bash
# git switch takes a local branch, not one of a remote.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

origin
git clone --quiet origin.git app
cd app
prove
