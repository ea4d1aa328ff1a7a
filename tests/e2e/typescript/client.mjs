// The official TypeScript SDK's client against `toolcrib serve`, over a real pipe.
// usage: node client.mjs MODULES COMMAND [ARGS…]; prints one JSON object.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, command, ...args] = process.argv.slice(2);
const require = createRequire(pathToFileURL(modules + "/package.json"));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

const client = new Client({ name: "typescript", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args }));
const { tools } = await client.listTools();
const result = await client.callTool({ name: "directive/spec.template", arguments: {} });
let refused = null;
try {
  await client.callTool({ name: "directive/spec.templte", arguments: {} });
} catch (error) {
  refused = error.code;
}
console.log(
  JSON.stringify({
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    tools: tools.map((tool) => tool.name),
    primer: result.structuredContent.primer,
    refused,
  }),
);
await client.close();
