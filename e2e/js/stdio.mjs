// stdio.mjs BINARY: the JavaScript SDK's client over stdio.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { steps } from './steps.mjs';

const client = new Client({ name: 'e2e-js', version: '1' });
await client.connect(new StdioClientTransport({
  command: process.argv[2], args: ['serve', '--log-level', 'error'], stderr: 'inherit',
}));
await steps(client);
await client.close();
console.log('all steps taken');
