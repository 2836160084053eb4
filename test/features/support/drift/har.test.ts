import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DriftEntry } from '../../../../src/features/support/output.ts'
import { freshDirectory, freshHome, runPartner } from '../../../support/partner.ts'
import { startSharedSandbox } from '../../../support/sandbox-process.ts'
import { words } from '../../../support/words.ts'

const sandbox = await startSharedSandbox()

const drift = (path: string, ...flags: readonly string[]) =>
  runPartner(['drift', '--har', path, ...flags], { env: freshHome() })

interface Entry extends Readonly<Record<'url' | 'body', string>> {
  readonly method?: string
  readonly status?: number
  readonly content?: object
}

function har(entries: readonly Entry[]): string {
  return JSON.stringify({
    log: {
      ...{ version: '1.2', creator: { name: 'WebInspector', version: '537.36' } },
      pages: [{ id: 'page_1', title: 'Diary', pageTimings: {} }],
      entries: entries.map(({ url, body, method = 'GET', status = 200, content = {} }) => ({
        request: { method, url, headers: [] },
        response: { status, content: { size: body.length, mimeType: 'application/json', text: body, ...content } },
      })),
    },
  })
}

function fileOf(text: string): string {
  const path = join(freshDirectory(), 'traffic.har')
  writeFileSync(path, text)
  return path
}

const STATUSES = 'https://venue.example/api/v1/Resources/booking-statuses'
const SEATED = '[{"statusType":"standard","code":"SEATED","name":"Seated"}]'
const SEATED_ENTRY = { url: STATUSES, body: SEATED }
const WRONG = '[{"statusType":"standard","code":7,"name":"Seated"}]'

test('drift --har checks the responses in a HAR that partner recorded', async () => {
  const path = join(freshDirectory(), 'own.har')
  const env = { ...freshHome(), ...sandbox.env }
  expect(await runPartner([...words('giftcards list --limit 5 --har'), path, '-q'], { env })).toMatchObject({ code: 0 })
  const done = await drift(path, '-o', 'json')
  expect(done).toMatchObject({ code: 0 })
  const entries = JSON.parse(done.stdout) as DriftEntry[]
  expect(entries.filter(({ verdict }) => verdict === 'contradicted')).toEqual([])
  const confirmed = { endpoint: 'GET /GiftCards', member: 'items[].remainingAmount', verdict: 'confirmed', times: 5 }
  expect(entries).toContainEqual(expect.objectContaining(confirmed))
  expect(readFileSync(path, 'utf8')).toContain('"entries"')
})

test("drift --har ignores everything in a browser's HAR except successful requests to the service", async () => {
  const path = fileOf(
    `\uFEFF ${har([
      { url: 'https://cdn.example/logo.png', body: '\u0000', content: { encoding: 'base64' } },
      { url: 'not a URL', body: '' },
      { url: STATUSES, body: '{"message":"Unauthorized"}', status: 401 },
      { url: STATUSES, body: SEATED, method: 'OPTIONS' },
      { url: STATUSES, body: Buffer.from(WRONG).toString('base64'), content: { encoding: 'base64' } },
    ])}\n`,
  )
  const done = await drift(path, '--fail-on', 'documented', '-o', 'json')
  expect(done).toMatchObject({ code: 11 })
  const [first, ...others] = JSON.parse(done.stdout) as DriftEntry[]
  expect(first).toMatchObject({ member: '[].code', expected: 'text, or null', seen: 'whole number' })
  expect(first?.verdict).toBe('contradicted')
  expect(others.filter(({ verdict }) => verdict === 'contradicted')).toEqual([])
})

test('drift --har refuses a HAR with traffic from two services unless --base-url selects one', async () => {
  const other = { url: 'https://other.example/Resources/booking-statuses', body: WRONG }
  const path = fileOf(har([SEATED_ENTRY, other]))
  const both = await drift(path)
  expect(both).toMatchObject({ code: 2, stdout: '' })
  expect(both.stderr).toContain('https://venue.example/api/v1 (1), https://other.example (1)')
  const one = await drift(path, '--base-url', 'https://venue.example/api/v1', '--fail-on', 'assumed')
  expect(one).toMatchObject({ code: 0 })
  expect(await drift(path, '--base-url', 'https://other.example/', '--fail-on', 'assumed')).toMatchObject({ code: 11 })
})

test.each([
  ['an empty file', '', 'it does not begin with {"log":'],
  ['JSON that is not a HAR', '{"entries":[]}', 'it does not begin with {"log":'],
  ['a HAR without entries', '{"log":{"version":"1.2"}}', 'has no member "entries"'],
  ['a truncated HAR', har([SEATED_ENTRY, SEATED_ENTRY]).slice(0, -30), 'after 1 complete entries'],
  ['a HAR with a syntax error', har([SEATED_ENTRY, SEATED_ENTRY]).replace(/}}}\]/, '}?}]'), 'entry 2'],
  [
    'a HAR without responses from the service',
    har([{ url: 'https://cdn.example/x', body: '1' }]),
    'none of its 1 entries',
  ],
])('drift --har exits with code 2 for %s, and says where the problem is', async (_, text, said) => {
  const done = await drift(fileOf(text))
  expect(done).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) })
  expect(done.stderr).toContain('next: pass a HAR')
})

test('drift --har exits with code 2 for a missing file, a directory, --forget or --record', async () => {
  const empty = fileOf(har([]))
  for (const [path = '', ...flags] of [['nowhere.har'], [freshDirectory()], [empty, '--forget'], [empty, '--record']])
    expect(await drift(path, ...flags)).toMatchObject({ code: 2, stdout: '' })
})

test('drift --har checks the complete records in a truncated body', async () => {
  const records = `{"count":900,"bookings":[${'{"bookingId":"BK-1","people":2},'.repeat(3)}{"bookingId":"BK-2","peop`
  const url = 'https://venue.example/Bookings?StartDate=x'
  const path = fileOf(har([{ url, body: records, content: { comment: 'the first 120 of 50000 bytes' } }]))
  expect(JSON.parse((await drift(path, '-o', 'json')).stdout) as DriftEntry[]).toContainEqual(
    expect.objectContaining({ member: 'bookings[].people', verdict: 'confirmed', times: 3 }),
  )
})
