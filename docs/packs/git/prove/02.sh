#!/usr/bin/env bash
# Amending without a message needs an editor, which needs a terminal.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

repository
echo two >>README.md
git add README.md
prove
