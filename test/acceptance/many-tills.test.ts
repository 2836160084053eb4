import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { skipWithout } from '../support/needs.ts'
import { PageSession, withoutVaryingParts } from '../support/page-session.ts'
import { freshDirectory, ROOT, runPartner } from '../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../support/postgres.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'

// This test runs the shared-ledger example in docs/money.md. Each till has its own home directory.

const sandbox = await startSharedSandbox()
const server = postgresServer()

const PAGE = readFileSync(join(ROOT, 'docs', 'money.md'), 'utf8')
const SECTION = PAGE.split('\n## One record for many tills\n')[1]?.split('\n## ')[0] ?? ''
const OPERATION = /op_[0-9a-f]{10}/g

/** The section's commands in order, each with the name of the till that runs it. */
const SHOWN = [...SECTION.matchAll(/^```text\n(till\d\$[\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.split(/^(?=till\d\$ )/m).map((part) => {
    const [, till = '', command = '', output = ''] = /^(till\d)\$ (.*)\n([\s\S]*)$/.exec(part) ?? []
    return { till, command, output }
  }),
)

/** Starts a till whose `bar` profile uses the ledger. */
async function startTill(ledger: string): Promise<{ home: string; session: PageSession }> {
  const home = freshDirectory()
  const session = new PageSession(home, '')
  onTestFinished(() => session.end())
  const env = { HOME: home, PARTNER_CONFIG_DIR: undefined, PARTNER_DATA_DIR: undefined, PARTNER_CACHE_DIR: undefined }
  const add = ['profiles', 'add', 'bar', '--base-url', sandbox.baseUrl, '--timezone', 'Australia/Sydney']
  const run = await runPartner([...add, '--api-key-stdin'], { env, input: sandbox.apiKey })
  expect(run.code, run.stderr).toBe(0)
  const [set = ''] = /^partner profiles set .*$/m.exec(SECTION) ?? []
  const line = set.replace(/postgres:.*/, `'${ledger}'`)
  await session.run(`${exports()} ${line} > set.txt`)
  return { home, session }
}

const exports = () =>
  Object.entries(POSTGRES_ENV)
    .map(([name, value]) => (value === undefined ? '' : `export ${name}='${value}';`))
    .join(' ')

/** Replaces the parts that differ between machines: the host name and the service's address. */
function comparable(output: string, home: string): string {
  const named = output.replace(new RegExp(`(?<![\\w.-])${hostname().replaceAll('.', '\\.')}(?![\\w.-])`, 'g'), 'till1')
  return withoutVaryingParts(named, home).replaceAll('service.example', '<address>')
}

test('the shared-ledger example in docs/money.md works as documented', async (context) => {
  skipWithout(context, POSTGRES)
  const ledger = await server.database()
  const tills = { till1: await startTill(ledger), till2: await startTill(ledger) }
  expect(SHOWN.map(({ till }) => till)).toEqual(['till1', 'till2', 'till2', 'till1', 'till2', 'till2'])
  let operation = ''
  for (const { till, command, output } of SHOWN) {
    const { home, session } = tills[till as keyof typeof tills]
    if (output.includes('the connection was lost')) await loseNextRedeem()
    // In the example, more than a minute passes before this command. Simulate that by changing the recorded times.
    if (command.includes('resolve'))
      await server.query(
        ledger,
        'UPDATE partner_ledger.operations SET sent_ms = sent_ms - 600000, over_ms = over_ms - 600000',
      )
    const printed = await session.run(command.replaceAll(OPERATION, operation))
    operation = printed.match(OPERATION)?.at(-1) ?? operation
    expect(`${till}$ ${command}\n${comparable(printed, home)}`).toBe(`${till}$ ${command}\n${comparable(output, home)}`)
  }
})

async function loseNextRedeem(): Promise<void> {
  const fault = ['--endpoint', 'POST /GiftCards/redeem', '--reset', '--phase', 'before', '--next', '1']
  const run = await runPartner(['sandbox', 'faults', 'add', ...fault], { env: sandbox.env })
  expect(run.code, run.stderr).toBe(0)
}
