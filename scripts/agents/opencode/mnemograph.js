// mnemograph for OpenCode: tells the memory what happens, and the model what the memory knows.
import { spawnSync } from "node:child_process";

const hook = (event, data) => {
  const input = JSON.stringify({ hook_event_name: event, cwd: process.cwd(), ...data });
  const done = spawnSync("mnemograph", ["hook", event], { input, encoding: "utf8", timeout: 3000 });
  try {
    return JSON.parse(done.stdout).additionalContext;
  } catch {
    return undefined; // Nothing to say, or no memory: the session goes on.
  }
};

export const Mnemograph = async () => {
  const begun = new Map();
  return {
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID) return;
      if (!begun.has(sessionID)) begun.set(sessionID, hook("sessionStart", { sessionId: sessionID }));
      if (begun.get(sessionID)) output.system.push(begun.get(sessionID));
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const said = hook("postToolUse", { sessionId: sessionID, toolName: tool, toolArgs: args, toolUseId: callID,
        exitCode: output.metadata?.exit, toolResult: output.output });
      if (said) output.output += `\n${said}`;
    },
    event: async ({ event }) => {
      if (event.type === "session.idle") hook("stop", { sessionId: event.properties.sessionID });
    },
  };
};
