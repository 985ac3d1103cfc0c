// The official Node SDK as it comes, on plain http: server.mjs [-http HOST:PORT]
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import plantuml from 'plantuml-encoder'
import * as z from 'zod'

function newServer() {
  const server = new McpServer({ name: 'node', version: '1.0.0' })
  server.registerTool('encodePlantUML', {
    description: 'Encodes PlantUML diagram code into a shareable URL for viewing on plantuml.com',
    inputSchema: { plantumlCode: z.string().describe('Valid PlantUML diagram code') },
    outputSchema: { url: z.string(), encoded: z.string(), format: z.string() },
  }, ({ plantumlCode }) => {
    const encoded = plantuml.encode(plantumlCode)
    const url = 'https://www.plantuml.com/plantuml/svg/' + encoded
    return { content: [{ type: 'text', text: url }], structuredContent: { url, encoded, format: 'svg' } }
  })
  return server
}

const sessions = new Map()

async function handle(req, res) {
  let transport = sessions.get(req.headers['mcp-session-id'])
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
    })
    await newServer().connect(transport)
  }
  await transport.handleRequest(req, res)
}

const [flag, address] = process.argv.slice(2)
if (flag === '-http') {
  const [host, port] = address.split(':')
  createServer((req, res) => {
    handle(req, res).catch((err) => {
      console.error(err)
      res.destroy()
    })
  }).listen(Number(port), host)
} else {
  await newServer().connect(new StdioServerTransport())
}
