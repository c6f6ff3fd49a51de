#!/usr/bin/env bash
# A plug-in that the project does not name, by its short name.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mvn_needed
pom app
cd app
prove
