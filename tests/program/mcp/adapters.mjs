// The tools of `hindlore mcp` through the AI SDK: all are converted, and `remember` and `recall` are called.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [program, modules] = process.argv.slice(2);
const require = createRequire(`${modules}/adapters.mjs`);
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { createMCPClient } = await load("@ai-sdk/mcp");
const { Experimental_StdioMCPTransport } = await load("@ai-sdk/mcp/mcp-stdio");

const transport = new Experimental_StdioMCPTransport({ command: program, args: ["mcp"], env: process.env });
const client = await createMCPClient({ transport });
try {
  const tools = await client.tools();
  assert.equal(Object.keys(tools).length, 8);
  for (const [name, tool] of Object.entries(tools)) {
    const schema = await tool.inputSchema.jsonSchema;
    assert.equal(schema.type, "object", name);
  }
  const call = (name, input) => tools[name].execute(input, { toolCallId: name, messages: [] });
  const kept = await call("remember", { text: "The linter runs before every commit." });
  assert.match(JSON.stringify(kept), /added|strengthened/);
  const found = await call("recall", { question: "when does the linter run", limit: 3 });
  assert.match(JSON.stringify(found), /before every commit/);
} finally {
  await client.close();
}
