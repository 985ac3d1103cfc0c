// mermaid in a page that stays open, under a stopwatch: what drawing takes in a browser
// that is warm. It takes one JSON object a line and answers each with one:
//   {"code":"…"}  →  {"ms":…,"svg":"…"} or {"error":"…"}      ms is measured in the page
// The first line that it writes has mermaid's version: {"mermaid":"…"}.
// Usage: node page.mjs CHROMIUM FOLDER, where FOLDER/node_modules has both packages.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [executablePath, folder] = process.argv.slice(2)
const require = createRequire(join(folder, 'package.json'))
const { launch } = await import(pathToFileURL(require.resolve('puppeteer-core')))

// Those of webodar: internal/diagram/mermaid/config.go.
const settings = {
  startOnLoad: false, securityLevel: 'strict', htmlLabels: false, deterministicIds: true, handDrawnSeed: 1,
  suppressErrorRendering: true, maxTextSize: 1 << 20, logLevel: 5,
  journey: { textPlacement: 'tspan' }, timeline: { textPlacement: 'tspan' },
}

const browser = await launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const page = await browser.newPage()
  await page.setViewport({ width: 800, height: 600 })
  await page.setContent('<!doctype html><html lang="en"><body></body></html>')
  await page.addScriptTag({ path: join(folder, 'node_modules', 'mermaid', 'dist', 'mermaid.min.js') })
  await page.evaluate((s) => globalThis.mermaid.initialize(s), settings)
  console.log(JSON.stringify({ mermaid: require('./node_modules/mermaid/package.json').version }))
  for await (const line of createInterface({ input: process.stdin })) {
    const { code } = JSON.parse(line)
    const answer = await page.evaluate(async (code) => {
      try {
        const start = performance.now()
        const { svg } = await globalThis.mermaid.render('drawn', code)
        return { ms: performance.now() - start, svg }
      } catch (e) {
        return { error: String(e?.message ?? e) }
      }
    }, code)
    console.log(JSON.stringify(answer))
  }
} finally {
  await browser.close()
}
