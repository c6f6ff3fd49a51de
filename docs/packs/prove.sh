# Sourced by every proof: reads the lesson of the proof from its pack, runs its two forms in a temporary folder, and
# prints one line of JSON. The text of the lesson itself is run, so a lesson cannot drift from its proof.
#
# A proof is `prove/NN.sh` of the lesson `PACK-NN`. It sources this file, prepares the folder, and calls `prove`. The
# pack's `setup.sh`, when there is one, is sourced first; it names the tool and defines what several proofs share.
# Exit codes: 0 both forms behave as stated, 1 one does not, 77 not run because a tool or a server is missing.
# shellcheck shell=bash disable=SC2034
# (The setups and proofs use what is not used here.)
set -euo pipefail

pack="$(CDPATH='' cd -- "$(dirname "${BASH_SOURCE[1]}")/.." && pwd)"
lesson="${BASH_SOURCE[1]##*/}"
lesson="${pack##*/}-${lesson%.sh}"
version=''
leftovers=()

# Where a proof may keep downloads between runs. Everything else is removed.
cache="${PACKS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/hindlore/packs}"
place="$(mktemp -d "${TMPDIR:-/tmp}/hindlore-pack.XXXXXX")"

clean_up() {
    local process
    for process in ${leftovers[@]+"${leftovers[@]}"}; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    # Some tools write folders without the write bit.
    chmod -R u+w "$place" 2>/dev/null || true
    rm -rf "$place"
}
trap clean_up EXIT

# Nothing of the user's own configuration may decide a proof.
user_home="$HOME"
export HOME="$place/home" LC_ALL=C TZ=UTC TERM=dumb
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME EDITOR VISUAL CDPATH
mkdir -p "$HOME" "$place/work"
cd "$place/work"

# Ends the proof as not run.
not_run() {
    echo "$lesson: not run: $*" >&2
    exit 77
}

# Ends the proof as failed.
refuted() {
    echo "$lesson: $*" >&2
    exit 1
}

# Ends the proof as not run unless all the programs are there.
needs() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null 2>&1 || not_run "$program is missing"
    done
}

# Keeps the first line that a command prints as the version that the proof ran on.
version_of() { version="$("$@" 2>&1 </dev/null | head -n 1)"; }

# Runs a command until it succeeds, at most ten seconds.
wait_for() {
    local tries
    for ((tries = 0; tries < 100; tries++)); do
        "$@" >/dev/null 2>&1 </dev/null && return 0
        sleep 0.1
    done
    return 1
}

# Prints the JSON text of one field of the lesson, without its quotes and still escaped.
field_raw() {
    local text='(([^"\]|\\.)*)'
    local pattern="\"$1\":\"$text\""
    [[ "$line" =~ $pattern ]] || refuted "the lesson has no \`$1\`"
    printf '%s' "${BASH_REMATCH[1]}"
}

# Prints one field of the lesson as text.
field() {
    local raw
    raw="$(field_raw "$1")"
    # The escapes of JSON are those of %b but for the quote.
    printf '%b' "${raw//\\\"/\\x22}"
}

# Prints a text as the inside of a JSON string.
escaped() {
    local text="${1//\\/\\\\}"
    text="${text//\"/\\\"}"
    printf '%s' "$text" | tr -c '[:print:]' ' '
}

# Runs a command line as a user types it.
shell() { bash -c "$1"; }

# Runs both forms of the lesson with a runner, by default the shell, and prints the result.
prove() {
    local runner="${1:-shell}" line wrong error right output status=0 seen
    line="$(grep -F "{\"id\":\"$lesson\"," "$pack/lessons.jsonl")" || refuted "there is no such lesson"
    wrong="$(field wrong)" error="$(field error)" right="$(field right)"
    output="$("$runner" "$wrong" 2>&1 </dev/null)" || status=$?
    ((status != 0)) || refuted "the wrong form works: $output"
    [[ "$output" == *"$error"* ]] || refuted "the wrong form fails with another error: $output"
    seen="$(grep -m 1 -F -- "${error%%$'\n'*}" <<<"$output")"
    seen="${seen//"$place"/FOLDER}"
    output="$("$runner" "$right" 2>&1 </dev/null)" || refuted "the right form fails: $output"
    printf '{"lesson":"%s","version":"%s","status":%d,"error":"%s","right":"%s"}\n' \
        "$lesson" "$(escaped "$version")" "$status" "$(escaped "${seen:0:300}")" "$(field_raw right)"
}

# shellcheck source=/dev/null
[[ ! -f "$pack/setup.sh" ]] || . "$pack/setup.sh"
