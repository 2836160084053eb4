import { openApiDocument } from './document.ts'
import type { OpenApi } from './openapi.ts'
import { TAKEN_ANYWAY } from './taken-anyway.ts'
import { judgeTraffic, readTraffic } from './traffic.ts'

// Checks the HAR files in a directory against the OpenAPI document. First run tests with PARTNER_SANDBOX_HAR=DIR, then
// run: npm run har -- DIR

const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error('usage: check-har.ts DIR')
const { differences, taken, seen, unseen, counts } = judgeTraffic(
  openApiDocument() as unknown as OpenApi,
  readTraffic(directory),
  TAKEN_ANYWAY,
)
for (const one of taken) process.stderr.write(`accepted anyway: ${one}\n`)
for (const one of differences) process.stderr.write(`differs: ${one}\n`)
for (const one of unseen) process.stderr.write(`never seen: ${one}\n`)
process.stderr.write(
  `${counts.entries} requests (${counts.struck} struck by a fault), ${seen.size} answers of the document seen, ${unseen.length} not, ${differences.length} differences\n`,
)
process.exitCode = differences.length > 0 || unseen.length > 0 || counts.entries === 0 ? 1 : 0
