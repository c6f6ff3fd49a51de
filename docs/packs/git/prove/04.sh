#!/usr/bin/env bash
# After a conflict, rebase --continue opens the message in an editor.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

repository
git switch --quiet -c feature
commit README.md feature
git switch --quiet main
commit README.md main
git switch --quiet feature
git rebase main >/dev/null 2>&1 || true
echo both >README.md
git add README.md
prove
