#!/usr/bin/env bash
# The command of Tailwind 3 with Tailwind 4.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{"name": "app", "private": true}' >package.json
echo '@import "tailwindcss";' >in.css
prove
