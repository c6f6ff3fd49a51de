#!/usr/bin/env bash
# A goal in a folder without a project.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mvn_needed
pom app
prove
