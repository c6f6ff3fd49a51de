// hindlore for OpenCode: reports to the memory what happens, and gives the model what the memory knows.
// No fault in here reaches OpenCode: its session then goes on without the memory.
import { spawnSync } from "node:child_process";

const quietly = (work) => async (...given) => { try { await work(...given); } catch { /* The session goes on. */ } };

export const Hindlore = async ({ directory, worktree } = {}) => {
  const cwd = directory || worktree || process.cwd();
  const begun = new Map(), late = new Map(), reported = new Set();
  const hook = (event, sessionId, data) => {
    const seen = new WeakSet(); // Arguments may lead back to themselves.
    const plain = (_, value) => typeof value === "bigint" ? String(value)
      : value && typeof value === "object" && (seen.has(value) || !seen.add(value)) ? undefined : value;
    try {
      const input = JSON.stringify({ hook_event_name: event, cwd, sessionId, ...data }, plain);
      return JSON.parse(spawnSync("hindlore", ["hook", event], { input, encoding: "utf8", timeout: 3000 }).stdout).additionalContext;
    } catch { return undefined; } // Nothing to say, or no memory.
  };
  return {
    "experimental.chat.system.transform": quietly(({ sessionID }, output) => {
      if (!sessionID) return;
      if (!begun.has(sessionID)) begun.set(sessionID, hook("sessionStart", sessionID));
      output.system.push(...[begun.get(sessionID), late.get(sessionID)].filter(Boolean));
      late.delete(sessionID);
    }),
    "tool.execute.after": quietly(({ tool, sessionID, callID, args }, answer) => {
      const isMcp = Array.isArray(answer.content);
      const said = hook("postToolUse", sessionID, { toolName: tool, toolArgs: args, toolUseId: callID,
        exitCode: answer.metadata?.exit, toolResult: isMcp ? answer : answer.output });
      if (said && isMcp) answer.content.push({ type: "text", text: said });
      else if (said) answer.output = `${answer.output ?? ""}\n${said}`;
    }),
    event: quietly(({ event: { type, properties: { sessionID, part } } }) => {
      if (type === "session.idle") hook("stop", sessionID);
      // A tool that threw has no other moment. What helps is heard with the next request.
      if (type !== "message.part.updated" || part.state?.status !== "error" || reported.has(part.callID)) return;
      reported.add(part.callID);
      if (/rejected permission|dismissed this question/.test(part.state.error)) return; // The person's decision.
      late.set(part.sessionID, hook("postToolUseFailure", part.sessionID, { toolName: part.tool, toolArgs: part.state.input,
        toolUseId: part.callID, error: part.state.error, is_interrupt: part.state.metadata?.interrupted }));
    }),
  };
};
