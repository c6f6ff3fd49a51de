"""The tools of `hindlore mcp` through the adapters of three agent frameworks in Python.

All tools are converted, as the frameworks do it for a model; `remember` and `recall` are called through LangChain.
"""

import asyncio
import sys

from agents.mcp import MCPServerStdio, MCPUtil
from google.genai._mcp_utils import mcp_to_gemini_tool
from langchain_mcp_adapters.client import MultiServerMCPClient

TOOLS = 8


async def langchain(program: str) -> None:
    client = MultiServerMCPClient({"hindlore": {"transport": "stdio", "command": program, "args": ["mcp"]}})
    tools = {tool.name: tool for tool in await client.get_tools()}
    assert len(tools) == TOOLS, list(tools)
    kept = await tools["remember"].ainvoke({"text": "Deploys happen on Tuesdays.", "tags": ["deploy"]})
    assert "added" in str(kept), kept
    found = await tools["recall"].ainvoke({"question": "when do deploys happen", "limit": 3})
    assert "Tuesdays" in str(found), found


async def openai_and_google(program: str) -> None:
    async with MCPServerStdio(params={"command": program, "args": ["mcp"]}) as server:
        tools = await server.list_tools()
        assert len(tools) == TOOLS, tools
        for tool in tools:
            function = MCPUtil.to_function_tool(tool, server, convert_schemas_to_strict=True)
            assert function.strict_json_schema, f"{tool.name} is not strict"
            declared = mcp_to_gemini_tool(tool).function_declarations
            assert declared and declared[0].parameters, tool.name


async def main(program: str) -> None:
    await langchain(program)
    await openai_and_google(program)


asyncio.run(main(sys.argv[1]))
