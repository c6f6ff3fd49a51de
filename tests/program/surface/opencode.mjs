// The plugin of OpenCode as `install` writes it, called as OpenCode calls it: node opencode.mjs PROGRAM
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const program = process.argv[2];
const home = mkdtempSync(join(tmpdir(), "hindlore-opencode."));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));
Object.assign(process.env, { HOME: home, HINDLORE_STORE: join(home, "memory.db"), HINDLORE_RESIDENT: "off" });
for (const name of ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"]) delete process.env[name];
const hindlore = (...words) => execFileSync(program, words, { cwd: home, encoding: "utf8" });

const repository = join(home, "repository");
// What git itself asks of a repository.
for (const folder of ["objects", "refs"]) mkdirSync(join(repository, ".git", folder), { recursive: true });
writeFileSync(join(repository, ".git", "HEAD"), "ref: refs/heads/main\n");
writeFileSync(join(repository, ".git", "config"), '[remote "origin"]\n\turl = https://git.example/acme/shop.git\n');
hindlore("--scope", "git.example/acme/shop", "add", "Money is an integer of cents.");
hindlore("install", "opencode");
const file = join(home, "plugin.mjs");
writeFileSync(file, readFileSync(join(home, ".config/opencode/plugin/hindlore.js")));
const { Hindlore } = await import(pathToFileURL(file));

// OpenCode runs elsewhere than in the project.
process.chdir(home);
const plugin = await Hindlore({ directory: repository, worktree: repository });
const after = plugin["tool.execute.after"];
const system = async (sessionID) => {
  const output = { system: [] };
  await plugin["experimental.chat.system.transform"]({ sessionID }, output);
  return output.system.join("\n");
};

assert.match(await system("s1"), /integer of cents/, "the memory is that of the project's folder");
assert.equal(await system(undefined), "");

const call = (tool, args, id) => ({ tool, sessionID: "s1", callID: id, args });
const circular = { command: "c1" };
circular.self = circular;
const failedPart = (id, error, metadata) => ({ event: { type: "message.part.updated", properties: { part: {
  type: "tool", sessionID: "s1", callID: id, tool: "read", state: { status: "error", input: { filePath: "/nowhere" }, error, metadata } } } } });
await after(call("bash", { command: "make al" }, "1"), { output: "make: no rule to make target al", metadata: { exit: 2 } });
await after(call("srv_query", { a: 1 }, "2"), { content: [{ type: "text", text: "no such table: foo" }], isError: true });
await after(call("bash", circular, "3"), { output: "c1: command not found", metadata: { exit: 127 } });
await plugin.event(failedPart("4", "File not found: /nowhere"));
await plugin.event(failedPart("5", "The user rejected permission to use this specific tool call."));
for (const answer of [undefined, null, {}, { output: undefined, metadata: null }, { content: null }, "text", 5])
  await after(call("bash", { command: "true" }, "6"), answer);
for (const input of [undefined, null, {}, { tool: 1n, args: Symbol("x") }]) await after(input, { output: "x" });
for (const event of [undefined, {}, { event: undefined }, { event: {} }, { event: { type: "session.idle" } },
  { event: { type: "message.part.updated", properties: { part: null } } },
  { event: { type: "message.part.updated", properties: { part: { type: "tool", state: { status: "error" } } } } }])
  await plugin.event(event);
for (const given of [[undefined], [null], [{ sessionID: "s2" }, undefined], [{ sessionID: "s2" }, {}]])
  await plugin["experimental.chat.system.transform"](...given);
await Hindlore();
await Hindlore({});

const learned = hindlore("errors", "list");
for (const error of [/no rule to make target/, /no such table/, /command not found/, /File not found/]) assert.match(learned, error);
assert.doesNotMatch(learned, /rejected permission/);
await plugin.event({ event: { type: "session.idle", properties: { sessionID: "s1" } } });

// Without the program nothing is said, and nothing breaks.
writeFileSync(file.replace("plugin", "lost"), readFileSync(file, "utf8").replace(JSON.stringify(program), '"/nowhere/hindlore"'));
const lost = await (await import(pathToFileURL(file.replace("plugin", "lost")))).Hindlore({ directory: repository });
const answer = { output: "x", metadata: { exit: 1 } };
await lost["tool.execute.after"](call("bash", { command: "x" }, "7"), answer);
assert.equal(answer.output, "x");
console.log("ok");
