#!/usr/bin/env bash
# An editable install in a folder without a project.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

environment
echo six==1.16.0 >requirements.txt
prove
