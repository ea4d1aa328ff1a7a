// The TypeScript SDK's client calls tools of other servers through `toolcrib serve`.
// usage: node gateway.mjs MODULES CALLS COMMAND [ARGS…]; CALLS is JSON: [[tool, arguments], …].
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, calls, command, ...args] = process.argv.slice(2);
const require = createRequire(pathToFileURL(modules + "/package.json"));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

const client = new Client({ name: "typescript", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const { tools } = await client.listTools();
const results = [];
for (const [name, given] of JSON.parse(calls)) {
  results.push(await client.callTool({ name, arguments: given }));
}
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), results }));
await client.close();
