# Sourced by the proofs of this pack: Maven with a repository of its own that is kept between runs, and a small project.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs java javac
unset MAVEN_OPTS MAVEN_ARGS JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
version_of javac -version

# The proofs of Maven call it by name.
mvn_needed() {
    needs mvn
    mkdir -p "$HOME/.m2" "$cache/m2"
    printf '<settings><localRepository>%s</localRepository><interactiveMode>false</interactiveMode></settings>\n' \
        "$cache/m2" >"$HOME/.m2/settings.xml"
    export MAVEN_OPTS="-Duser.home=$HOME -XX:TieredStopAtLevel=1 -Djansi.mode=strip"
    version="$(mvn --version 2>/dev/null | sed -n 's/^Apache \(Maven [^ ]*\).*/\1/p'), $version"
}

# Writes the pom of the artifact $1 in folder $1; $2 holds further elements.
pom() {
    mkdir -p "$1/src/main/java/acme"
    printf '%s\n' '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>' \
        "<groupId>com.acme</groupId><artifactId>$1</artifactId><version>1.0</version>${2:-}</project>" >"$1/pom.xml"
    printf 'package acme;\n\npublic class Main {\n    public static void main(String[] words) {}\n}\n' \
        >"$1/src/main/java/acme/Main.java"
}

# Prints the properties of a project that is built for Java 11.
java_11() {
    echo '<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>'
    echo '<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>'
}
