"""The Python SDK of MCP against `hindlore mcp`: what an agent does in a session, and many calls at once."""

import asyncio
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


async def main(program: str) -> None:
    server = StdioServerParameters(command=program, args=["mcp"])
    async with Client(stdio_client(server)) as client:
        tools = (await client.list_tools()).tools
        assert len(tools) <= 8, [tool.name for tool in tools]
        assert all(tool.annotations for tool in tools)
        added = await client.call_tool("remember", {"text": "Grease the bearings of the lathe."})
        assert not added.is_error and added.structured_content, added
        asked = [client.call_tool("recall", {"question": "lathe"}) for _ in range(100)]
        for answer in await asyncio.gather(*asked):
            assert "bearings" in str(answer.structured_content), answer
        refused = await client.call_tool("explain", {"id": "b_nobody"})
        assert refused.is_error, refused


asyncio.run(main(sys.argv[1]))
