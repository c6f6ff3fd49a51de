#!/usr/bin/env bash
# One module that needs another.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mvn_needed
pom core "$(java_11)"
pom app "$(java_11)<dependencies><dependency><groupId>com.acme</groupId><artifactId>core</artifactId><version>1.0</version></dependency></dependencies>"
printf '%s\n' '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>' \
    '<groupId>com.acme</groupId><artifactId>all</artifactId><version>1.0</version><packaging>pom</packaging>' \
    '<modules><module>core</module><module>app</module></modules></project>' >pom.xml
prove
