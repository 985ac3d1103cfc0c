// http.mjs URL: the JavaScript SDK's client over streamable HTTP.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { encodes, steps } from './steps.mjs';

const url = new URL(process.argv[2]);

async function connect() {
  const client = new Client({ name: 'e2e-js', version: '1' });
  const transport = new StreamableHTTPClientTransport(url);
  await client.connect(transport);
  return { client, transport };
}

const first = await connect();
await steps(first.client);

// Somebody else ends the session: the next call gets the protocol's 404, and a
// new session works.
const { sessionId } = first.transport;
assert.ok(sessionId);
const gone = await fetch(url, { method: 'DELETE', headers: { 'Mcp-Session-Id': sessionId } });
assert.ok(gone.ok, `DELETE answered ${gone.status}`);
await assert.rejects(encodes(first.client, 'A -> B'), (e) => e.code === 404);
const second = await connect();
assert.notEqual(second.transport.sessionId, sessionId);
await encodes(second.client, 'A -> B');

// The client ends its own session.
await second.transport.terminateSession();
await second.client.close();
const after = await fetch(url, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'Mcp-Session-Id': second.transport.sessionId ?? sessionId },
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
});
assert.equal(after.status, 404);
await first.client.close();
console.log('all steps taken');
