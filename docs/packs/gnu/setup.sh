# Sourced by the proofs of this pack: it holds for the GNU tools of a Linux system.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs sed find date tar stat
date --version 2>/dev/null | grep -q GNU || not_run "the tools are not those of GNU"
version_of date --version
version="${version##*) }"
version="coreutils $version"
