// plantuml-encoder under a stopwatch. It takes one JSON object a line and
// answers each with one:
//   {"texts":[…]}  →  {"codes":[…]}      the texts to encode, and their codes
//   {"ms":1000}    →  {"ops":…,"ns":…}   encode all texts over and over; ops counts the passes
import { createInterface } from 'node:readline'
import plantuml from 'plantuml-encoder'

let texts = []

function run(ms) {
  const start = process.hrtime.bigint()
  const limit = BigInt(ms) * 1_000_000n
  let ops = 0
  let ns = 0n
  while (ns < limit) {
    for (let i = 0; i < 20; i++, ops++) {
      for (const text of texts) plantuml.encode(text)
    }
    ns = process.hrtime.bigint() - start
  }
  return { ops, ns: Number(ns) }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  if (request.texts) {
    texts = request.texts
    console.log(JSON.stringify({ codes: texts.map((text) => plantuml.encode(text)) }))
  } else {
    console.log(JSON.stringify(run(request.ms)))
  }
}
