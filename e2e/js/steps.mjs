// The steps that a client of the JavaScript SDK takes, whatever the transport.
import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';

// decode turns a PlantUML code back into text with Node's own zlib, so that
// the server is not its own judge.
export function decode(code) {
  assert.match(code, /^[0-9A-Za-z_-]+$/);
  assert.equal(code.length % 4, 0, 'a code is padded to a multiple of four');
  const bits = [...code].map((c) => alphabet.indexOf(c));
  const bytes = [];
  for (let i = 0; i < bits.length; i += 4) {
    const [a, b, c, d] = bits.slice(i, i + 4);
    bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d);
  }
  return inflateRawSync(Buffer.from(bytes)).toString('utf8');
}

export async function encodes(client, source) {
  const result = await client.callTool({ name: 'encodePlantUML', arguments: { plantumlCode: source } });
  assert.equal(result.isError ?? false, false, JSON.stringify(result));
  const { url, encoded, format } = result.structuredContent;
  assert.equal(format, 'svg');
  assert.equal(url, 'https://www.plantuml.com/plantuml/svg/' + encoded);
  assert.equal(result.content[0].text.split('\n')[0], url);
  assert.equal(decode(encoded), source);
  return encoded;
}

// fails expects a result with isError. The SDK has checked its
// structuredContent against the output schema by the time it is here: a schema
// that does not let errors through makes callTool throw instead.
async function fails(client, tool, args, code) {
  const result = await client.callTool({ name: tool, arguments: args });
  assert.equal(result.isError, true, JSON.stringify(result));
  assert.equal(result.structuredContent.error.code, code);
  assert.match(result.content[0].text, new RegExp(code === 'INVALID_ARGUMENTS' ? 'Error' : code));
}

// steps takes every step with a connected client.
export async function steps(client) {
  assert.equal(client.getServerVersion().name, 'webodar');
  assert.match(client.getInstructions(), /encodePlantUML/);

  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((t) => t.name).sort(), ['decodePlantUML', 'encodePlantUML', 'mermaid_parse', 'mermaid_to_pdf', 'mermaid_to_png', 'mermaid_to_svg']);
  for (const tool of tools) {
    assert.ok(tool.title && tool.description && tool.outputSchema, `${tool.name} lacks a title, description or output schema`);
    assert.equal(tool.annotations.readOnlyHint, true);
    assert.equal(tool.annotations.idempotentHint, true);
    assert.equal(tool.annotations.openWorldHint, false);
  }

  const source = '@startuml\nBob -> Alice : hello ✓\n@enduml';
  const code = await encodes(client, source);
  for (const encoded of [code, 'https://www.plantuml.com/plantuml/png/' + code]) {
    const result = await client.callTool({ name: 'decodePlantUML', arguments: { encoded } });
    assert.equal(result.structuredContent.plantumlCode, source);
  }
  // A long link comes with a warning.
  const long = Array.from({ length: 400 }, (_, i) => `A${(i * 7919) % 1000} -> B${(i * 104729) % 1000} : ${i * i}`).join('\n');
  const warned = await client.callTool({ name: 'encodePlantUML', arguments: { plantumlCode: long } });
  assert.equal(warned.structuredContent.warnings.length, 1);

  await fails(client, 'encodePlantUML', { plantumlCode: '  ' }, 'EMPTY_CODE');
  await fails(client, 'encodePlantUML', {}, 'EMPTY_CODE');
  await fails(client, 'encodePlantUML', { plantumlCode: 42 }, 'EMPTY_CODE');
  await fails(client, 'encodePlantUML', { plantumlCode: 'A'.repeat(51201) }, 'CODE_TOO_LARGE');
  await fails(client, 'decodePlantUML', { encoded: '!!!' }, 'DECODE_FAILED');
  await fails(client, 'decodePlantUML', {}, 'INVALID_ARGUMENTS');
  await fails(client, 'decodePlantUML', { encoded: [] }, 'INVALID_ARGUMENTS');

  // The client holds each answer against the tool's output schema.
  const drawn = await client.callTool({ name: 'mermaid_to_svg', arguments: { code: 'flowchart LR\nA --> B' } });
  assert.equal(drawn.structuredContent.ok, true);
  assert.match(drawn.structuredContent.svg, /^<svg .*<\/svg>$/s);
  const broken = await client.callTool({ name: 'mermaid_to_svg', arguments: { code: 'flowchart LR\nA --' } });
  assert.equal(broken.isError, true);
  assert.equal(broken.structuredContent.errors[0].code, 'PARSE_ERROR');
  assert.equal(broken.structuredContent.errors[0].details.line, 2);
  const parsed = await client.callTool({ name: 'mermaid_parse', arguments: { code: 'pie title Pets\n"Dogs": 3\n"Cats": 2' } });
  assert.equal(parsed.structuredContent.diagram_type, 'pie');
  await assert.rejects(client.callTool({ name: 'encodePlantUm', arguments: {} }), (e) => {
    assert.equal(e.code, -32602);
    assert.equal(e.data.type, 'ToolNotFoundError');
    assert.equal(e.data.suggestions[0], 'encodePlantUML');
    return true;
  });

  const { resources } = await client.listResources();
  assert.ok(resources.length > 0);
  for (const { uri, mimeType } of resources) {
    const { contents } = await client.readResource({ uri });
    assert.equal(contents[0].mimeType, mimeType);
    assert.ok(contents[0].text.length > 100);
  }
  await assert.rejects(client.readResource({ uri: 'webodar://nothing' }), (e) => e.code === -32002);
  await client.listResourceTemplates();

  const { prompts } = await client.listPrompts();
  const prompt = prompts.find((p) => p.name === 'explain_with_diagram');
  const { messages } = await client.getPrompt({ name: prompt.name, arguments: { subject: 'TCP', kind: 'sequence' } });
  assert.match(messages[0].content.text, /TCP[^]*sequence/);
  await assert.rejects(client.getPrompt({ name: prompt.name, arguments: {} }), (e) => e.code === -32602);

  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: prompt.name },
    argument: { name: 'kind', value: 'se' },
  });
  assert.deepEqual(completion.values, ['sequence']);

  await client.ping();
  await client.setLoggingLevel('warning');

  const sources = Array.from({ length: 50 }, (_, i) => `@startuml\nA${i} -> B : call ${i}\n@enduml`);
  const codes = await Promise.all(sources.map((s) => encodes(client, s)));
  assert.equal(new Set(codes).size, 50);
}
