import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TooDeepError } from '../../src/base/json/parse.ts'
import { readYamlDocuments } from '../../src/base/json/yaml-documents.ts'
import { freshDirectory, freshHome, ROOT, runPartner } from '../support/partner.ts'
import { expectRefusal } from '../support/refusal.ts'
import { bookingEvent, startListening } from '../webhooks/listener/listening.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
/** 10 KB of nested arrays. */
const DEEP = nested(5000)
const DEEP_EVENT = `{"eventType":"BOOKING_UPDATED","data":{"bookingId":"BK-1001","more":${DEEP}}}`
const TOO_DEEP = /nested more than 256 levels deep/

describe('webhook deliveries nested 5,000 levels deep', () => {
  test.each([
    ['without flags', []],
    ['-o csv', ['-o', 'csv']],
    ['--exec', ['--exec', 'cat > /dev/null']],
  ])(
    'webhooks listen responds with 400 to a delivery that is nested too deeply and keeps listening: %s',
    async (_, args) => {
      const listener = await startListening(args)
      expect(await listener.post(DEEP_EVENT)).toBe(400)
      expect(await listener.post(bookingEvent('BOOKING_UPDATED'))).toBe(200)
      const { code, stderr } = await listener.stop()
      expect({ code, lines: listener.lines().length }).toEqual({ code: 0, lines: 1 })
      expect(stderr).toMatch(/refused with 400: .*nested more than 256 levels deep/)
    },
  )
})

describe('files nested 5,000 levels deep or more', () => {
  const journalLine = (body: string) =>
    `{"time":"2026-11-20T08:00:00.000Z","headers":${body},"bodyBase64":"e30=","verdict":"new"}\n`
  test.each<[name: string, text: string, args: readonly string[], says: RegExp]>([
    [
      'a sandbox snapshot',
      `{"sandbox":1,"a":${DEEP}}\n`,
      ['sandbox', 'start', '--port', '0', '--snapshot', './FILE'],
      TOO_DEEP,
    ],
    ['subscriptions in a JSON file', DEEP, ['webhooks', 'apply', 'FILE', '--dry-run'], /FILE:1:257: .*256 levels/],
    [
      'subscriptions in a YAML file',
      `a:\n${'- '.repeat(32_000)}x`,
      ['webhooks', 'apply', 'FILE', '--dry-run'],
      TOO_DEEP,
    ],
    ['a file of unclosed brackets', '['.repeat(60_000), ['webhooks', 'apply', 'FILE', '--dry-run'], TOO_DEEP],
    ['a reservation', `{"a":${DEEP}}`, ['reservations', 'create', '--data', '@FILE', '--dry-run'], TOO_DEEP],
    ['a body for partner api', `{"a":${DEEP}}`, ['api', 'POST', '/Sales', '--data', '@FILE', '--dry-run'], TOO_DEEP],
    [
      'a HAR file for a support bundle',
      `{"log":{"entries":[{"request":${DEEP}}]}}`,
      ['support', 'bundle', '--har', 'FILE', '--out', 'x'],
      TOO_DEEP,
    ],
    ['a HAR file for drift', `{"log":{"entries":[{"request":${DEEP}}]}}`, ['drift', '--har', 'FILE'], TOO_DEEP],
    [
      'a webhook journal',
      journalLine(DEEP),
      ['webhooks', 'replay', 'FILE', '--to', 'http://127.0.0.1:9/'],
      /line 1 is no/,
    ],
    ['a list of certify items', DEEP, ['certify', '--items', 'FILE', '--run', 'true'], TOO_DEEP],
    ['the profile file', DEEP, ['profiles', 'list'], /profiles\.json/],
  ])('partner refuses %s that is nested too deeply (exit code 2)', async (_, text, args, says) => {
    const directory = freshDirectory()
    const home = freshHome()
    writeFileSync(join(directory, 'FILE'), text)
    const config = home['PARTNER_CONFIG_DIR'] ?? ''
    mkdirSync(config, { recursive: true, mode: 0o700 })
    if (args[0] === 'profiles') writeFileSync(join(config, 'profiles.json'), text, { mode: 0o600 })
    const env = { ...home, PARTNER_PROFILE: 'sandbox' }
    expectRefusal(await runPartner(args, { env, cwd: directory }), { code: 2, says })
  })
})

test('partner reads JSON and YAML nested 256 levels deep but refuses 257 levels', async () => {
  const yaml = async (text: string) => (await readYamlDocuments(text, false)).documents.length
  expect(await yaml(nested(256))).toBe(1)
  await expect(yaml(nested(257))).rejects.toThrow(TooDeepError)
  expect(await yaml(`${'- '.repeat(256)}x`)).toBe(1)
  await expect(yaml(`${'- '.repeat(257)}x`)).rejects.toThrow(TooDeepError)
})

/**
 * Source files that may call JSON.parse. The text that they parse was written by partner, ships in its package, or has
 * already been checked.
 */
const ALLOWED_FILES = [
  'src/base/json/',
  // This file reads rows from partner's own database. Its values were within the nesting limit when they were stored.
  'src/money/operations/row.ts',
  'src/studio/page/',
  'src/sandbox/(?:seed|records|store|faults|clock|deliveries|snapshot/kinds|endpoints)/',
  'src/sync/sqlite/held-back.ts',
  // These files read records that the list splitter has already checked. A second check would slow down lists with
  // 100,000 records.
  'src/sync/reading/',
  'src/sync/tables/rows.ts',
  'src/terminal/input/query/language.ts',
  // These files read text that partner itself, in this or another process, has just written.
  'src/terminal/output/dry-run.ts',
  'src/features/support/bundle/parts.ts',
  'src/features/sandbox/certify/run.ts',
  'src/signing/json-mistakes.ts',
  'src/terminal/completion/answer.ts',
  'src/terminal/update/source.ts',
  'src/commands/(?:commands|api/spec).ts',
  // This file reads single members and does not recurse into them, so deep nesting cannot exhaust its stack.
  'src/base/storage/lock.ts',
]

test('only the listed source files call JSON.parse instead of the parsers that limit nesting', () => {
  const may = new RegExp(`^(?:${ALLOWED_FILES.join('|')})`)
  const others = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((file) => !may.test(file.replaceAll('\\', '/')))
    .filter((file) => /\bJSON\.parse\(/.test(readFileSync(join(ROOT, file), 'utf8')))
  expect(others).toEqual([])
})
