# Sourced by the proofs of this pack: an identity, one name for the first branch, and a small repository.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs git
version_of git --version
export GIT_CONFIG_GLOBAL="$HOME/.gitconfig" GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_EDITOR GIT_SEQUENCE_EDITOR
git config --global user.name Proof
git config --global user.email proof@example.com
git config --global init.defaultBranch main
git config --global advice.detachedHead false

# Commits a file of that name and content to the repository of the current folder.
commit() {
    printf '%s\n' "$2" >"$1"
    git add -- "$1"
    git commit --quiet -m "Change $1"
}

# Makes the repository `app` with one commit on main, and enters it.
repository() {
    git init --quiet app
    cd app
    commit README.md one
}

# Makes `origin.git`, whose main has two commits, and the branch feature.
origin() {
    git init --quiet seed
    (cd seed && commit README.md one && commit README.md two && git branch feature)
    git clone --quiet --bare seed origin.git 2>/dev/null
}
