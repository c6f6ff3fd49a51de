#!/usr/bin/env bash
# An interactive rebase opens its list of commits in an editor.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

repository
commit a.txt one
commit a.txt two
git commit --quiet --amend -m "fixup! Change a.txt"
prove
