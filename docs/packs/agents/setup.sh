# Sourced by the proofs of this pack: apply_patch as Codex runs it, and the calls of the MCP server for files. No model takes
# part. Both come with `scripts/packs prove --install`.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
modules="$cache/tools/node_modules"
printf 'one\ntwo\nthree\n' >notes.txt

# Codex is apply_patch when it is called by that name.
patch_needed() {
    local program
    program="$(find "$modules/@openai" -path '*/bin/codex' -type f 2>/dev/null || true)"
    [[ -x "$program" ]] || not_run "codex is missing"
    version="$("$program" --version 2>/dev/null)"
    mkdir "$place/bin"
    ln -s "$program" "$place/bin/apply_patch"
    export PATH="$place/bin:$PATH"
}

server_needed() {
    needs node
    server="$modules/@modelcontextprotocol/server-filesystem"
    [[ -d "$server" ]] || not_run "the MCP server for files is missing"
    version="server-filesystem $(sed -n 's/^ *"version": "\(.*\)",*$/\1/p' "$server/package.json")"
}

# Sends calls, one a line, to the server over the present folder; fails with the text of the first error.
call() {
    cat >"$place/call.mjs" <<'END'
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [server, text] = process.argv.slice(2);
const child = spawn("node", [server, "."], { stdio: ["pipe", "pipe", "ignore"] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
let id = 0;
const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
async function ask(method, params) {
  send({ id: ++id, method, params });
  for (;;) {
    const answer = JSON.parse((await lines.next()).value);
    if (answer.id === id) return answer;
  }
}
await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "proof", version: "1" } });
send({ method: "notifications/initialized" });
for (const line of text.split("\n")) {
  const { result, error } = await ask("tools/call", JSON.parse(line));
  console.log(error ? error.message : result.content.map((part) => part.text).join("\n"));
  if (error || result.isError) process.exitCode = 1;
  if (process.exitCode) break;
}
child.kill();
END
    node "$place/call.mjs" "$server/dist/index.js" "$1"
}
