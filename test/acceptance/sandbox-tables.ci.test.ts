import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { WEBHOOK_EVENTS } from '../../src/contract/events.ts'
import { COMMON_FAILURES } from '../../src/contract/failures.ts'
import { filesOn } from '../support/page-session.ts'
import { freshDirectory, freshHome, ROOT, runShell } from '../support/partner.ts'

const PAGE = readFileSync(join(ROOT, 'docs', 'sandbox.md'), 'utf8')

const ROWS = [
  ...PAGE.matchAll(/^\| (`[A-Z]+ \/[^`]*`|every endpoint [a-z ]+) \| (\d{3}) \| (.+?) \| (`.+`) \|$/gm),
].map(([, endpoint = '', status = '', message = '', commands = '']) => ({
  endpoint: endpoint.replaceAll('`', ''),
  status: Number(status),
  message,
  commands: commands.slice(1, -1).split('`, then `'),
}))

describe('the error response table in docs/sandbox.md', () => {
  test.each(ROWS)('$endpoint fails as documented: $status $message', async ({ status, message, commands }) => {
    const cwd = freshDirectory()
    for (const { name, text } of filesOn(PAGE)) if (name.endsWith('.json')) writeFileSync(join(cwd, name), text)
    const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
    for (const command of commands.slice(0, -1))
      expect(await runShell(command, { env, cwd }), command).toMatchObject({ code: 0 })
    const run = await runShell(commands.at(-1) ?? '', { env, cwd })
    expect(run.stderr).toContain(message)
    expect(run.stderr).toMatch(new RegExp(`status ${status}\\b`))
  })

  const failures = Object.values(ENDPOINTS).flatMap(({ method, path, failures: own }) =>
    Object.values(own).map(({ status, message }) => ({ endpoint: `${method} ${path}`, status, message })),
  )
  const common = Object.values(COMMON_FAILURES).map(({ status, message }) => ({ endpoint: 'every', status, message }))

  test('docs/sandbox.md lists exactly the error responses that the contract defines', () => {
    const all = [...failures, ...common]
    const matches = (row: (typeof ROWS)[number], one: (typeof all)[number]) =>
      row.endpoint.startsWith(one.endpoint === 'every' ? 'every ' : one.endpoint) &&
      (one.endpoint === 'every' || row.endpoint === one.endpoint) &&
      row.status === one.status &&
      wordsOf(one.message).test(row.message)
    expect(all.filter((one) => !ROWS.some((row) => matches(row, one)))).toEqual([])
    expect(ROWS.filter((row) => !all.some((one) => matches(row, one)))).toEqual([])
  })
})

const FAILURES = [...PAGE.matchAll(/^\| `[A-Z]+ \/[^`]*` \| ([^|]+?) \| `(partner .+)` \|$/gm)].map(
  ([, message = '', command = '']) => ({ message, command }),
)

describe('the table of failures with status 200 in docs/sandbox.md', () => {
  test.each(FAILURES)('a response with status 200 reports the failure: $message', async ({ message, command }) => {
    const run = await runShell(command, { env: { ...freshHome(), PARTNER_PROFILE: 'sandbox' } })
    expect(run).toMatchObject({ code: 10, stderr: expect.stringContaining(`error: ${message}\n`) })
    expect(run.stderr).toMatch(/status 200\b/)
  })

  test('docs/sandbox.md lists exactly the failures with status 200 that the sandbox can produce', () => {
    const sources = ['records/giftcards.ts', 'endpoints/inbound.ts'].map((file) =>
      readFileSync(join(ROOT, 'src', 'sandbox', file), 'utf8'),
    )
    const words = sources
      .join('')
      .matchAll(/'(The (?:gift card|amount) [^']+\.)'|`((?:Gift card|Location|Invalid)[^`]+\.)`/g)
    const known = [...words].map(([, plain, filled = '']) => wordsOf(plain ?? filled.replace(/\$\{/g, '{')))
    expect(known.filter((one) => !FAILURES.some(({ message }) => one.test(message))).map(String)).toEqual([])
    expect(FAILURES.filter(({ message }) => !known.some((one) => one.test(message)))).toEqual([])
  })
})

const EVENTS = [...PAGE.matchAll(/^\| `([A-Z_]+)` \| `(partner .+)` \|$/gm)].map(([, event = '', command = '']) => ({
  event,
  command,
}))

describe('the event table in docs/sandbox.md', () => {
  test('docs/sandbox.md lists every event', () => expect(EVENTS.map(({ event }) => event)).toEqual(WEBHOOK_EVENTS))

  test.each(EVENTS)('the sandbox sends $event after the documented command: $command', async ({ event, command }) => {
    const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
    const run = (line: string) => runShell(line, { env })
    for (const one of WEBHOOK_EVENTS)
      expect(await run(`partner webhooks create ${one} http://127.0.0.1:9/`)).toMatchObject({ code: 0 })
    expect(await run(command)).toMatchObject({ code: 0 })
    const { stdout } = await run('partner sandbox deliveries --json')
    // Advancing the clock also makes guests book, arrive and leave, which triggers these events.
    const others = command.includes('clock') ? ['BOOKING_CREATED', 'BOOKING_UPDATED'] : []
    const events = JSON.parse(stdout).map((delivery: { event: string }) => delivery.event)
    expect(new Set(events)).toEqual(new Set([event, ...others]))
  })
})

function wordsOf(message: string): RegExp {
  const parts = message.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^{}]+')}$`)
}
