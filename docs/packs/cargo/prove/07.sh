#!/usr/bin/env bash
# A locked build after the version was raised.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

library app
cargo generate-lockfile --offline --quiet
sed -i.old 's/0.1.0/0.2.0/' Cargo.toml
prove
