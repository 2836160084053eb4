import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

// Follows the instructions for a typed client in docs/openapi.md in an empty directory and compares the client's output
// with the page. This needs the npm registry, so CI runs it separately from the tests: node
// scripts/openapi/check-page.ts

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs', 'openapi.md'), 'utf8')
const [, install = ''] = /^```sh\n([^`]*npm install [^`]*)^```$/m.exec(page) ?? []
const [, client = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(page) ?? []
const [, command = '', shown = ''] = /^\$ (partner sandbox exec .*client\.ts)\n([\s\S]*?)^```$/m.exec(page) ?? []
if ([install, client, command].includes(''))
  throw new Error('docs/openapi.md does not have the blocks that this script runs')

const place = mkdtempSync(join(tmpdir(), 'partner-openapi-'))
try {
  const bin = join(place, 'bin')
  const work = join(place, 'client')
  for (const folder of [bin, work]) mkdirSync(folder)
  const tool = [process.execPath, join(root, 'bin', 'run.js')].map((word) => `'${word}'`).join(' ')
  writeFileSync(join(bin, 'partner'), `#!/bin/sh\nexec ${tool} "$@"\n`, { mode: 0o755 })
  const env = {
    ...process.env,
    NODE_NO_WARNINGS: '1',
    PATH: [bin, join(process.execPath, '..'), process.env['PATH']].join(delimiter),
  }
  const run = (script: string) =>
    execFileSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: work, env, encoding: 'utf8' })
  run(install)
  writeFileSync(join(work, 'client.ts'), client)
  const printed = run(command)
  if (printed !== shown) throw new Error(`docs/openapi.md shows\n${shown}but the client prints\n${printed}`)
  process.stderr.write('docs/openapi.md: the typed client prints what the page shows\n')
} finally {
  rmSync(place, { recursive: true, force: true })
}
