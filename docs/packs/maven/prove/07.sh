#!/usr/bin/env bash
# Starting a jar that names no main class.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

needs jar
pom app
javac -d classes app/src/main/java/acme/Main.java
jar --create --file app.jar -C classes .
prove
