//! An example of each format in the table: one call that fails and one that works.
//!
//! Each is written as its writer does today; several are there in the forms of two versions.

use super::*;

/// The format's word and a file of it. The first call fails with [`ERROR`], the second one works.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "gemini-cli",
        r#"{"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":"go"},{"id":"2","type":"gemini","toolCalls":[{"id":"a","name":"run_shell_command","args":{"command":"shop lst"},"status":"success","result":[{"functionResponse":{"id":"a","response":{"output":"Command: shop lst\nDirectory: (root)\nOutput: shop: unknown command lst\nError: (none)\nExit Code: 2\nSignal: (none)\nBackground PIDs: (none)"}}}]},{"id":"b","name":"run_shell_command","args":{"command":"shop list"},"status":"success","result":[{"functionResponse":{"id":"b","response":{"output":"Output: 3 items\nExit Code: 0"}}}]}]}]}"#,
    ),
    (
        "gemini-cli",
        r#"{"sessionId":"s","projectHash":"h","kind":"main"}
{"id":"g0","type":"gemini","content":"","toolCalls":[{"id":"a","name":"find_item","args":{"nme":"x"}}]}
{"id":"g0","type":"gemini","content":"","toolCalls":[{"id":"a","name":"find_item","args":{"nme":"x"},"status":"error","result":[{"functionResponse":{"id":"a","response":{"error":"shop: unknown command lst"}}}]}]}
{"id":"g0","type":"gemini","content":"done","toolCalls":[{"id":"a","name":"find_item","args":{"nme":"x"},"status":"error","result":[{"functionResponse":{"id":"a","response":{"error":"shop: unknown command lst"}}}]}]}
{"id":"u0","type":"user","content":[{"functionResponse":{"id":"a","response":{"error":"shop: unknown command lst"}}}]}
{"$set":{"lastUpdated":"2026-03-01T10:00:00Z"}}
{"id":"g1","type":"gemini","content":"","toolCalls":[{"id":"b","name":"find_item","args":{"name":"x"},"status":"success","result":[{"functionResponse":{"id":"b","response":{"output":"found"}}}]}]}"#,
    ),
    (
        "qwen-code",
        r#"{"uuid":"1","sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"go"}]}}
{"uuid":"2","sessionId":"s","type":"assistant","message":{"role":"model","parts":[{"functionCall":{"id":"a","name":"run_shell_command","args":{"command":"shop lst"}}}]}}
{"uuid":"3","sessionId":"s","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"a","name":"run_shell_command","response":{"output":"Command: shop lst\nDirectory: (root)\nOutput: shop: unknown command lst\nError: (none)\nExit Code: 2\nSignal: (none)\nProcess Group PGID: 7"}}}]},"toolCallResult":{"callId":"a","status":"success"}}
{"uuid":"4","sessionId":"s","type":"assistant","message":{"role":"model","parts":[{"functionCall":{"id":"b","name":"run_shell_command","args":{"command":"shop list"}}}]}}
{"uuid":"5","sessionId":"s","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"b","name":"run_shell_command","response":{"output":"Output: 3 items\nExit Code: 0"}}}]}}"#,
    ),
    (
        "mini-swe-agent",
        r#"{"info":{"mini_version":"2.4.6"},"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"bash","arguments":"{\"command\": \"shop lst\"}"}}]},{"role":"tool","tool_call_id":"a","content":"shop: unknown command lst","extra":{"returncode":2,"raw_output":"x"}},{"role":"assistant","tool_calls":[{"id":"b","type":"function","function":{"name":"bash","arguments":"{\"command\": \"shop list\"}"}}]},{"role":"tool","tool_call_id":"b","content":"<returncode>0</returncode>\n<output>\n3 items</output>","extra":{"returncode":0}}],"trajectory_format":"mini-swe-agent-1.1"}"#,
    ),
    (
        "atif",
        r#"{"schema_version":"ATIF-v1.5","session_id":"s","agent":{"name":"x"},"steps":[{"step_id":1,"source":"user","message":"go"},{"step_id":2,"source":"agent","tool_calls":[{"tool_call_id":"a","function_name":"bash","arguments":{"command":"shop lst"}}],"observation":{"results":[{"source_call_id":"a","content":"shop: unknown command lst\n[exit code: 2]"}]}},{"step_id":3,"source":"agent","tool_calls":[{"tool_call_id":"b","function_name":"bash","arguments":{"command":"shop list"}}],"observation":{"results":[{"source_call_id":"b","content":"3 items"}]}}]}"#,
    ),
    (
        "tau2",
        r#"{"info":{},"simulations":[{"id":"u1","task_id":"7","trial":0,"messages":[{"role":"assistant","tool_calls":[{"id":"a","name":"pay","arguments":{"by":"cash"}}],"turn_idx":1},{"id":"a","role":"tool","content":"shop: unknown command lst","error":true},{"role":"assistant","tool_calls":[{"id":"b","name":"pay","arguments":{"by":"card"}}]},{"role":"tool","tool_messages":[{"id":"b","role":"tool","content":"ok","error":false}]}]}]}"#,
    ),
    (
        "inspect",
        r#"{"version":2,"status":"success","eval":{"task":"t","eval_id":"e"},"samples":[{"id":1,"epoch":1,"messages":[{"role":"assistant","content":"","tool_calls":[{"id":"a","function":"bash","arguments":{"cmd":"shop lst"},"type":"function"}]},{"role":"tool","content":"","tool_call_id":"a","function":"bash","error":{"type":"unknown","message":"shop: unknown command lst"}},{"role":"assistant","content":"","tool_calls":[{"id":"b","function":"bash","arguments":{"cmd":"shop list"},"type":"function"}]},{"role":"tool","content":"3 items","tool_call_id":"b","function":"bash","error":null}]}]}"#,
    ),
    (
        "opencode",
        r#"{"info":{"id":"s"},"messages":[{"info":{"id":"m","role":"assistant","sessionID":"s"},"parts":[{"type":"tool","tool":"bash","callID":"a","state":{"status":"completed","input":{"command":"shop lst"},"output":"shop: unknown command lst","metadata":{"exit":2}}},{"type":"tool","tool":"bash","callID":"b","state":{"status":"completed","input":{"command":"shop list"},"output":"3 items","metadata":{"exit":0}}}]}]}"#,
    ),
    (
        "opencode",
        r#"{"type":"tool_use","sessionID":"s","part":{"type":"tool","tool":"edit","callID":"a","state":{"status":"error","input":{"filePath":"a"},"error":"shop: unknown command lst"}}}
{"type":"tool_use","sessionID":"s","part":{"type":"tool","tool":"edit","callID":"b","state":{"status":"completed","input":{"filePath":"b"},"output":"done"}}}"#,
    ),
    (
        "opencode",
        r#"{"type":"tool","sessionID":"s","tool":"edit","callID":"a","state":{"status":"error","input":{"filePath":"a"},"error":"shop: unknown command lst"}}
{"type":"tool","sessionID":"s","tool":"edit","callID":"c","state":{"status":"pending","input":{}}}
{"type":"tool","sessionID":"s","tool":"edit","callID":"c","state":{"status":"completed","input":{"filePath":"b"},"output":"done"}}"#,
    ),
    (
        "tau2",
        r#"[{"role":"assistant","tool_calls":[{"id":"a","name":"pay","arguments":{"by":"cash"},"requestor":"assistant"}]},{"id":"a","role":"tool","content":"shop: unknown command lst","requestor":"assistant","error":true},{"role":"assistant","tool_calls":[{"id":"b","name":"pay","arguments":{"by":"card"},"requestor":"assistant"}]},{"id":"b","role":"tool","content":"ok","requestor":"assistant","error":false}]"#,
    ),
    (
        "cline",
        r#"[{"role":"user","content":[{"type":"text","text":"<task>go</task>"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"execute_command","input":{"command":"shop lst"}}]},{"role":"user","content":[{"type":"text","text":"[execute_command for 'shop lst'] Result:\nCommand executed.\nOutput:\nshop: unknown command lst\nCommand failed with exit code 2"},{"type":"text","text":"<environment_details>x</environment_details>"}]},{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"execute_command","input":{"command":"shop list"}}]},{"role":"user","content":[{"type":"text","text":"[execute_command for 'shop list'] Result:\nCommand executed.\nOutput:\n3 items"}]}]"#,
    ),
    // Before calls of the interface: tags in the words of the model.
    (
        "cline",
        r#"[{"role":"assistant","content":[{"type":"text","text":"I list.\n<execute_command>\n<command>shop lst</command>\n</execute_command>"}]},{"role":"user","content":[{"type":"text","text":"[execute_command for 'shop lst'] Result:"},{"type":"text","text":"Command executed in terminal within working directory '/w'.\nExit code: 2\nOutput:\nshop: unknown command lst"}]},{"role":"assistant","content":[{"type":"text","text":"<execute_command>\n<command>shop list</command>\n</execute_command>"}]},{"role":"user","content":[{"type":"text","text":"[execute_command for 'shop list'] Result:\nCommand executed.\nOutput:\n3 items"}]}]"#,
    ),
    (
        "copilot-cli",
        r#"{"type":"session.start","data":{"sessionId":"s"}}
{"type":"tool.execution_start","data":{"toolCallId":"a","toolName":"bash","arguments":{"command":"shop lst"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"a","success":true,"result":{"content":"shop: unknown command lst\n<exited with exit code 2>"}}}
{"type":"tool.execution_start","data":{"toolCallId":"b","toolName":"bash","arguments":{"command":"shop list"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"b","success":true,"result":{"content":"3 items\n<exited with exit code 0>"}}}"#,
    ),
    (
        "copilot-cli",
        r#"{"type":"tool.execution_start","data":{"toolCallId":"a","toolName":"edit","arguments":{"path":"a"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"a","success":false,"error":{"message":"shop: unknown command lst","code":"failure"}}}
{"type":"tool.execution_start","data":{"toolCallId":"b","toolName":"edit","arguments":{"path":"b"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"b","success":true,"result":{"content":"done"}}}"#,
    ),
    // The newest run first, and a run within another.
    (
        "langsmith",
        r#"{"id":"r2","trace_id":"t","run_type":"tool","name":"pay","start_time":"2026-03-01T10:00:05Z","inputs":{"by":"card"},"outputs":{"output":"ok"},"error":null}
{"id":"r0","trace_id":"t","run_type":"chain","name":"agent","start_time":"2026-03-01T10:00:00Z","inputs":{},"child_runs":[{"id":"r1","trace_id":"t","run_type":"tool","name":"pay","start_time":"2026-03-01T10:00:01Z","inputs":{"input":"{\"by\": \"cash\"}"},"outputs":null,"error":"shop: unknown command lst"}]}"#,
    ),
    (
        "langfuse",
        r#"{"trace":{"id":"t"},"observations":[{"id":"g","type":"GENERATION","startTime":"2026-03-01T10:00:00Z"},{"id":"b","type":"TOOL","name":"pay","startTime":"2026-03-01T10:00:09Z","input":{"by":"card"},"output":"ok","level":"DEFAULT"},{"id":"a","type":"TOOL","name":"pay","startTime":"2026-03-01T10:00:01Z","input":{"by":"cash"},"output":null,"level":"ERROR","statusMessage":"shop: unknown command lst"}]}"#,
    ),
    (
        "langfuse",
        r#"{"id":"o","traceId":"t","type":"SPAN","name":"agent","startTime":"2026-03-01T10:00:00Z","input":"go","output":"done"}
{"id":"b","traceId":"t","type":"SPAN","parentObservationId":"o","name":"pay","startTime":"2026-03-01T10:00:05Z","input":{"by":"card"},"output":"ok","level":"DEFAULT"}
{"id":"a","traceId":"t","type":"SPAN","parentObservationId":"o","name":"pay","startTime":"2026-03-01T10:00:01Z","input":{"by":"cash"},"output":null,"level":"ERROR","statusMessage":"shop: unknown command lst"}"#,
    ),
    (
        "smolagents",
        r#"[{"task":"go"},{"step_number":1,"tool_calls":[],"error":{"type":"AgentToolExecutionError","message":"shop: unknown command lst"},"model_output_message":{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"pay","arguments":{"by":"cash"}}}]},"observations":null,"is_final_answer":false},{"step_number":2,"tool_calls":[{"id":"b","type":"function","function":{"name":"pay","arguments":{"by":"card"}}}],"error":null,"model_output_message":null,"observations":"ok","is_final_answer":false}]"#,
    ),
    (
        "pydantic-ai",
        r#"[{"kind":"response","run_id":"s","parts":[{"part_kind":"tool-call","tool_name":"pay","args":{"by":"cash"},"tool_call_id":"a"}]},{"kind":"request","run_id":"s","parts":[{"part_kind":"tool-return","tool_name":"pay","content":"shop: unknown command lst","tool_call_id":"a","outcome":"retried"}]},{"kind":"response","parts":[{"part_kind":"tool-call","tool_name":"pay","args":"{\"by\": \"card\"}","tool_call_id":"b"}]},{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"pay","content":"ok","tool_call_id":"b","outcome":"success"}]}]"#,
    ),
    (
        "pydantic-ai",
        r#"[{"kind":"response","parts":[{"part_kind":"tool-call","tool_name":"pay","args":"{}","tool_call_id":"a"}]},{"kind":"request","parts":[{"part_kind":"retry-prompt","tool_name":"pay","content":"shop: unknown command lst","tool_call_id":"a"}]},{"kind":"response","parts":[{"part_kind":"tool-call","tool_name":"pay","args":"{\"by\": \"card\"}","tool_call_id":"b"}]},{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"pay","content":{"state":"paid"},"tool_call_id":"b"}]}]"#,
    ),
    (
        "ai-sdk",
        r#"[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"pay","input":{"by":"cash"}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"pay","output":{"type":"error-text","value":"shop: unknown command lst"}}]},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"b","toolName":"pay","input":{"by":"card"}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"b","toolName":"pay","output":{"type":"json","value":{"paid":true}}}]}]"#,
    ),
    (
        "ai-sdk",
        r#"{"id":"s","messages":[{"role":"assistant","parts":[{"type":"step-start"},{"type":"tool-pay","toolCallId":"a","state":"output-error","input":{"by":"cash"},"errorText":"shop: unknown command lst"},{"type":"dynamic-tool","toolName":"pay","toolCallId":"b","state":"output-available","input":{"by":"card"},"output":"ok"}]}]}"#,
    ),
    (
        "autogen",
        r#"{"type":"AssistantAgentState","version":"1.0.0","llm_context":{"messages":[{"type":"UserMessage","content":"go"},{"type":"AssistantMessage","content":[{"id":"a","name":"pay","arguments":"{\"by\": \"cash\"}"}]},{"type":"FunctionExecutionResultMessage","content":[{"content":"shop: unknown command lst","name":"pay","call_id":"a","is_error":true}]},{"type":"AssistantMessage","content":[{"id":"b","name":"pay","arguments":"{\"by\": \"card\"}"}]},{"type":"FunctionExecutionResultMessage","content":[{"content":"ok","name":"pay","call_id":"b","is_error":false}]}]}}"#,
    ),
    (
        "haystack",
        r#"[{"role":"assistant","name":null,"content":[{"tool_call":{"tool_name":"pay","arguments":{"by":"cash"},"id":"a"}}]},{"role":"tool","content":[{"tool_call_result":{"result":"shop: unknown command lst","error":true,"origin":{"tool_name":"pay","id":"a"}}}]},{"role":"assistant","content":[{"tool_call":{"tool_name":"pay","arguments":{"by":"card"},"id":"b"}}]},{"role":"tool","content":[{"tool_call_result":{"result":"ok","error":false,"origin":{"id":"b"}}}]}]"#,
    ),
    (
        "strands",
        r#"[{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"pay","input":{"by":"cash"}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"a","status":"error","content":[{"text":"shop: unknown command lst"}]}}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"b","name":"pay","input":{"by":"card"}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"b","status":"success","content":[{"text":"ok"}]}}]}]"#,
    ),
    (
        "adk",
        r#"{"id":"s","app_name":"x","user_id":"u","events":[{"author":"agent","content":{"role":"model","parts":[{"function_call":{"id":"a","name":"pay","args":{"by":"cash"}}}]}},{"author":"agent","error_code":"RuntimeError","error_message":"shop: unknown command lst"},{"author":"agent","content":{"role":"model","parts":[{"function_call":{"id":"b","name":"pay","args":{"by":"card"}}}]}},{"author":"agent","content":{"role":"user","parts":[{"function_response":{"id":"b","name":"pay","response":{"result":"ok"}}}]}}]}"#,
    ),
    (
        "google-genai",
        r#"[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"pay","args":{"by":"cash"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"pay","response":{"error":"shop: unknown command lst"}}}]},{"role":"model","parts":[{"functionCall":{"name":"pay","args":{"by":"card"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"pay","response":{"output":"ok"}}}]}]"#,
    ),
    (
        "goose",
        r#"{"id":"s","working_dir":"/w","description":"d"}
{"role":"assistant","created":1772359200,"content":[{"type":"toolRequest","id":"a","toolCall":{"status":"success","value":{"name":"pay","arguments":{"by":"cash"}}}}]}
{"role":"user","created":1772359201,"content":[{"type":"toolResponse","id":"a","toolResult":{"status":"error","error":"shop: unknown command lst"}}]}
{"role":"assistant","content":[{"type":"toolRequest","id":"b","toolCall":{"status":"success","value":{"name":"pay","arguments":{"by":"card"}}}}]}
{"role":"user","content":[{"type":"toolResponse","id":"b","toolResult":{"status":"success","value":[{"type":"text","text":"ok"}]}}]}"#,
    ),
    (
        "goose",
        r#"{"id":"s","conversation":[{"role":"assistant","content":[{"type":"toolRequest","id":"a","toolCall":{"status":"success","value":{"name":"pay","arguments":{}}}}]},{"role":"user","content":[{"type":"toolResponse","id":"a","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"shop: unknown command lst"}],"isError":true}}}]},{"role":"assistant","content":[{"type":"toolRequest","id":"b","toolCall":{"status":"success","value":{"name":"pay","arguments":{"by":"card"}}}}]},{"role":"user","content":[{"type":"toolResponse","id":"b","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"ok"}],"isError":false}}}]}]}"#,
    ),
    (
        "crush",
        r#"[{"role":"assistant","session_id":"s","parts":[{"type":"tool_call","data":{"id":"a","name":"bash","input":"{\"command\": \"shop lst\"}"}}]},{"role":"tool","parts":[{"type":"tool_result","data":{"tool_call_id":"a","content":"shop: unknown command lst","is_error":true}}]},{"role":"assistant","parts":[{"type":"tool_call","data":{"id":"b","name":"bash","input":"{\"command\": \"shop list\"}"}}]},{"role":"tool","parts":[{"type":"tool_result","data":{"tool_call_id":"b","content":"3 items","is_error":false}}]}]"#,
    ),
    (
        "entire",
        r#"{"v":1,"agent":"claude-code","cli_version":"0.5.1","type":"user","content":[{"text":"go"}]}
{"v":1,"agent":"claude-code","cli_version":"0.5.1","type":"assistant","ts":"2026-03-01T10:00:00Z","content":[{"type":"tool_use","name":"bash","id":"a","input":{"command":"shop lst"},"result":{"output":"shop: unknown command lst","status":"error"}},{"type":"tool_use","name":"bash","id":"b","input":{"command":"shop list"},"result":{"output":"3 items","status":"success"}}]}"#,
    ),
    (
        "pi",
        r#"{"type":"session","id":"s"}
{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"bash","arguments":{"command":"shop lst"}}]}}
{"type":"message","message":{"role":"toolResult","toolCallId":"a","toolName":"bash","content":[{"type":"text","text":"shop: unknown command lst"}],"isError":true}}
{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"b","name":"bash","arguments":{"command":"shop list"}}]}}
{"type":"message","message":{"role":"toolResult","toolCallId":"b","toolName":"bash","content":[{"type":"text","text":"3 items"}],"isError":false}}"#,
    ),
    (
        "langchain",
        r#"[{"type":"human","data":{"content":"go"}},{"type":"ai","data":{"content":"","tool_calls":[{"name":"pay","args":{"by":"cash"},"id":"a","type":"tool_call"}]}},{"type":"tool","data":{"content":"shop: unknown command lst","tool_call_id":"a","status":"error"}},{"type":"ai","data":{"content":"","tool_calls":[{"name":"pay","args":{"by":"card"},"id":"b","type":"tool_call"}]}},{"type":"tool","data":{"content":"ok","tool_call_id":"b","status":"success"}}]"#,
    ),
    (
        "langchain",
        r#"{"values":{"messages":[{"type":"human","content":"go"},{"type":"ai","content":"","tool_calls":[{"name":"pay","args":{"by":"cash"},"id":"a"}]},{"type":"tool","content":"shop: unknown command lst","tool_call_id":"a","status":"error"},{"type":"ai","content":"","tool_calls":[{"name":"pay","args":{"by":"card"},"id":"b"}]},{"type":"tool","content":"ok","tool_call_id":"b","status":"success"}]},"config":{"configurable":{"thread_id":"s"}}}"#,
    ),
    (
        "langchain",
        r#"[{"lc":1,"type":"constructor","id":["langchain","AIMessage"],"kwargs":{"content":"","tool_calls":[{"name":"pay","args":{"by":"cash"},"id":"a"}]}},{"lc":1,"type":"constructor","id":["langchain","ToolMessage"],"kwargs":{"content":"shop: unknown command lst","tool_call_id":"a","status":"error"}},{"lc":1,"type":"constructor","id":["x"],"kwargs":{"content":"","tool_calls":[{"name":"pay","args":{"by":"card"},"id":"b"}]}},{"lc":1,"type":"constructor","id":["x"],"kwargs":{"content":"ok","tool_call_id":"b","status":"success"}}]"#,
    ),
    (
        "agno",
        r#"{"run_id":"s","agent_id":"x","messages":[{"id":"m1","role":"user","content":"go"},{"id":"m2","role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"pay","arguments":"{\"by\": \"cash\"}"}}]},{"id":"m3","role":"tool","tool_call_id":"a","content":"shop: unknown command lst","tool_call_error":true},{"id":"m4","role":"assistant","tool_calls":[{"id":"b","type":"function","function":{"name":"pay","arguments":"{}"}}]},{"id":"m5","role":"tool","tool_call_id":"b","content":"ok","tool_call_error":false}]}"#,
    ),
    // Readers of their own share the forms of calls.
    (
        "chat",
        r#"[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"pay","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"shop: unknown command lst","is_error":true},{"role":"assistant","tool_calls":[{"id":"b","type":"function","function":{"name":"pay","arguments":"{\"by\": \"card\"}"}}]},{"role":"tool","tool_call_id":"b","content":"ok"}]"#,
    ),
    (
        "opentelemetry",
        r#"{"name":"chat m","context":{"trace_id":"t"},"start_time":1,"attributes":{"gen_ai.request.model":"m","gen_ai.input.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"bash\",\"arguments\":{\"command\":\"shop lst\"}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"a\",\"response\":\"shop: unknown command lst\"}]}]"}}
{"name":"execute_tool bash","context":{"trace_id":"t"},"start_time":2,"attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"bash","gen_ai.tool.call.id":"b","gen_ai.tool.call.arguments":"{\"command\": \"shop list\"}","gen_ai.tool.call.result":"3 items"}}
{"name":"chat m","context":{"trace_id":"t"},"start_time":3,"attributes":{"gen_ai.request.model":"m","gen_ai.input.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"bash\",\"arguments\":{\"command\":\"shop lst\"}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"a\",\"response\":\"shop: unknown command lst\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"b\",\"name\":\"bash\",\"arguments\":{\"command\":\"shop list\"}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"b\",\"response\":\"3 items\"}]}]"}}"#,
    ),
    (
        "opentelemetry",
        r#"{"name":"chat","traceId":"t","attributes":{"gen_ai.prompt.0.role":"assistant","gen_ai.prompt.0.tool_calls.0.id":"a","gen_ai.prompt.0.tool_calls.0.name":"bash","gen_ai.prompt.0.tool_calls.0.arguments":"{\"command\": \"shop lst\"}","gen_ai.prompt.1.role":"tool","gen_ai.prompt.1.tool_call_id":"a","gen_ai.prompt.1.content":"shop: unknown command lst","gen_ai.completion.0.role":"assistant","gen_ai.completion.0.tool_calls.0.id":"b","gen_ai.completion.0.tool_calls.0.name":"bash","gen_ai.completion.0.tool_calls.0.arguments":"{\"command\": \"shop list\"}"}}
{"name":"chat","traceId":"t","attributes":{"llm.input_messages.0.message.role":"tool","llm.input_messages.0.message.tool_call_id":"b","llm.input_messages.0.message.content":"3 items"}}"#,
    ),
    (
        "inspect",
        r#"{"id":1,"epoch":1,"input":"go","target":"x","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"a","function":"bash","arguments":{"cmd":"shop lst"}}]},{"role":"tool","content":"","tool_call_id":"a","error":{"type":"unknown","message":"shop: unknown command lst"}},{"role":"assistant","content":"","tool_calls":[{"id":"b","function":"bash","arguments":{"cmd":"shop list"}}]},{"role":"tool","content":"3 items","tool_call_id":"b","error":null}]}"#,
    ),
    (
        "langchain",
        r#"{"agent":{"messages":[{"type":"ai","content":"","tool_calls":[{"name":"pay","args":{"by":"cash"},"id":"a"}]}]}}
{"tools":{"messages":[{"type":"tool","content":"shop: unknown command lst","tool_call_id":"a","status":"error"}]}}
{"agent":{"messages":[{"type":"ai","content":"","tool_calls":[{"name":"pay","args":{"by":"card"},"id":"b"}]}]}}
{"tools":{"messages":[{"type":"tool","content":"ok","tool_call_id":"b","status":"success"}]}}"#,
    ),
];
const ERROR: &str = "shop: unknown command lst";

#[test]
fn every_row_has_an_example() {
    for format in Format::ALL {
        let is_row = matches!(format, Format::Described(_));
        let word = format.word();
        assert!(
            !is_row || EXAMPLES.iter().any(|(name, _)| *name == word),
            "{word}"
        );
    }
}

#[test]
fn one_call_of_each_example_fails_and_one_works() {
    for (word, text) in EXAMPLES {
        let Guess::Trace(format) = guess(text.as_bytes()) else {
            panic!("not taken: {word}: {text}");
        };
        assert_eq!(format.word(), *word, "{text}");
        let read = read_as(format, text.as_bytes());
        let steps = read.steps();
        let outcomes: Vec<Outcome> = steps.iter().map(|step| step.outcome).collect();
        let shown = read.shown();
        assert_eq!(
            outcomes,
            [Outcome::Failed, Outcome::Worked],
            "{word}: {shown}"
        );
        assert_eq!(steps[0].error, ERROR, "{word}: {shown}");
        assert_eq!(steps[0].run, steps[1].run, "{word}: {shown}");
        assert!(!shown.contains("skipped"), "{word}: {shown}");
    }
}

#[test]
fn the_same_example_is_read_with_line_breaks_and_in_part() {
    for (word, text) in EXAMPLES {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
            continue;
        };
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let read = read_guessed(pretty.as_bytes()).unwrap();
        let shown = read.shown();
        assert_eq!(read.steps().len(), 2, "{word}: {shown}");
        assert!(read.steps()[1].line > 1, "{word}: {shown}");
        for end in (0..text.len())
            .step_by(97)
            .filter(|end| text.is_char_boundary(*end))
        {
            let Guess::Trace(format) = guess(text.as_bytes()) else {
                continue;
            };
            let cut = read_as(format, &text.as_bytes()[..end]);
            assert!(cut.steps().len() <= 2, "{word} up to {end}");
        }
    }
}

#[test]
fn records_that_resemble_a_row_are_not_taken() {
    for text in [
        r#"{"type":"tool","name":"hammer","content":"steel"}"#,
        r#"{"id":1,"type":"SPAN","name":"x"}"#,
        r#"{"parts":[{"type":"text","text":"x"}]}"#,
        r#"{"sessionId":"s","name":"x"}"#,
        r#"{"v":1,"agent":"x"}"#,
        r#"{"steps":[{"name":"build","run":"make"}]}"#,
        r#"{"eval":{"score":1}}"#,
        r#"{"observations":[{"type":"note","content":"x"}]}"#,
        r#"{"type":"human","name":"Ann"}"#,
        r#"{"step_number":1,"text":"Mix the flour."}"#,
    ] {
        assert_eq!(guess(text.as_bytes()), Guess::Unknown, "{text}");
    }
}

#[test]
fn a_file_without_steps_is_accounted_for() {
    let chat = r#"{"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":"hi"},{"id":"2","type":"gemini","content":"hello"}]}"#;
    let read = read_guessed(chat.as_bytes()).unwrap();
    assert_eq!(
        read.shown(),
        "skipped 1: none of the 3 entries holds a call with its result\n"
    );
    let waiting = r#"{"type":"tool.execution_start","data":{"toolCallId":"a","toolName":"bash","arguments":{"command":"ls"}}}"#;
    let read = read_guessed(waiting.as_bytes()).unwrap();
    assert_eq!(
        read.shown(),
        "skipped 1: the call of `bash` has no result\n"
    );
}

#[test]
fn runs_are_named_and_end_as_the_file_records_it() {
    let file = r#"{"simulations":[{"id":"x","task_id":"7","messages":[{"role":"assistant","tool_calls":[{"id":"c","name":"f","arguments":{}}]},{"id":"c","role":"tool","content":"ok"}],"reward_info":{"reward":1.0}},{"id":"y","task_id":"8","messages":[{"role":"assistant","tool_calls":[{"id":"c","name":"f","arguments":{}}]},{"id":"c","role":"tool","content":"ok"}],"reward_info":{"reward":0.0}}]}"#;
    let read = read_guessed(file.as_bytes()).unwrap();
    let shown = read.shown();
    assert!(
        shown.contains("ended x: true") && shown.contains("ended y: false"),
        "{shown}"
    );
    assert_eq!(read.steps()[1].task.as_deref(), Some("8"));
}

#[test]
fn a_state_that_is_written_again_is_the_same_run() {
    let human = r#"{"type":"human","content":"go"}"#;
    let call =
        r#"{"type":"ai","content":"","tool_calls":[{"name":"pay","args":{"by":"cash"},"id":"a"}]}"#;
    let result = r#"{"type":"tool","content":"ok","tool_call_id":"a","status":"success"}"#;
    let other = r#"{"type":"human","content":"another"}"#;
    let lines = [
        vec![human],
        vec![human, call],
        vec![human, call, result],
        vec![other, call, result],
    ];
    let lines = lines.map(|list| format!("{{\"messages\":[{}]}}\n", list.join(",")));
    let read = read_guessed(lines.concat().as_bytes()).unwrap();
    let runs = read.steps().into_iter().map(|step| step.run.clone());
    assert_eq!(runs.collect::<Vec<_>>(), [Run::Part(1), Run::Part(2)]);
    assert!(!read.shown().contains("skipped"), "{}", read.shown());
}

#[test]
fn several_calls_with_one_result_fail_without_a_culprit() {
    let file = r#"[{"step_number":1,"is_final_answer":false,"tool_calls":[{"id":"a","function":{"name":"f","arguments":{}}},{"id":"b","function":{"name":"g","arguments":{}}}],"error":{"message":"boom"},"observations":null}]"#;
    let read = read_guessed(file.as_bytes()).unwrap();
    let outcomes = read.steps().into_iter().map(|step| step.outcome);
    assert_eq!(outcomes.collect::<Vec<_>>(), [Outcome::Unknown; 2]);
}

#[test]
fn each_title_of_a_message_answers_one_call() {
    let file = r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read_file","input":{"path":"a"}},{"type":"tool_use","id":"b","name":"read_file","input":{"path":"b"}}]},{"role":"user","content":[{"type":"text","text":"[read_file for 'a'] Result:\nError: no file a"},{"type":"text","text":"[read_file for 'b'] Result:\ntext"}]}]"#;
    let read = read_guessed(file.as_bytes()).unwrap();
    let outcomes = read.steps().into_iter().map(|step| step.outcome);
    assert_eq!(
        outcomes.collect::<Vec<_>>(),
        [Outcome::Failed, Outcome::Worked]
    );
}
