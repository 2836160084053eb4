import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TooDeepError } from '../../src/base/json/parse.ts'
import { readYamlDocuments } from '../../src/base/json/yaml-documents.ts'
import { freshDirectory, freshHome, ROOT, runPartner } from '../support/partner.ts'
import { expectRefusal } from '../support/refusal.ts'
import { bookingEvent, startListening } from '../webhooks/listener/listening.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
/** 10 KB. */
const DEEP = nested(5000)
const DEEP_EVENT = `{"eventType":"BOOKING_UPDATED","data":{"bookingId":"BK-1001","more":${DEEP}}}`
const SAYS = /nested more than 256 levels deep/

describe('a delivery that is nested 5,000 levels deep', () => {
  test.each([
    ['', []],
    ['with CSV', ['-o', 'csv']],
    ['with --exec', ['--exec', 'cat > /dev/null']],
  ])('is refused with 400, and the listener goes on %s', async (_, args) => {
    const listener = await startListening(args)
    expect(await listener.post(DEEP_EVENT)).toBe(400)
    expect(await listener.post(bookingEvent('BOOKING_UPDATED'))).toBe(200)
    const { code, stderr } = await listener.stop()
    expect({ code, lines: listener.lines().length }).toEqual({ code: 0, lines: 1 })
    expect(stderr).toMatch(/refused with 400: .*nested more than 256 levels deep/)
  })
})

describe('a file that is nested 5,000 levels deep is refused with exit 2', () => {
  const journalLine = (body: string) =>
    `{"time":"2026-11-20T08:00:00.000Z","headers":${body},"bodyBase64":"e30=","verdict":"new"}\n`
  test.each<[name: string, text: string, args: readonly string[], says: RegExp]>([
    ['a snapshot', `{"sandbox":1,"a":${DEEP}}\n`, ['sandbox', 'start', '--port', '0', '--snapshot', './FILE'], SAYS],
    ['subscriptions in JSON', DEEP, ['webhooks', 'apply', 'FILE', '--dry-run'], /FILE:1:257: .*256 levels/],
    ['subscriptions in YAML', `a:\n${'- '.repeat(32_000)}x`, ['webhooks', 'apply', 'FILE', '--dry-run'], SAYS],
    ['brackets that never close', '['.repeat(60_000), ['webhooks', 'apply', 'FILE', '--dry-run'], SAYS],
    ['a body', `{"a":${DEEP}}`, ['reservations', 'create', '--data', '@FILE', '--dry-run'], SAYS],
    ['a raw body', `{"a":${DEEP}}`, ['api', 'POST', '/Sales', '--data', '@FILE', '--dry-run'], SAYS],
    ['a HAR', `{"log":{"entries":[{"request":${DEEP}}]}}`, ['support', 'bundle', '--har', 'FILE', '--out', 'x'], SAYS],
    ['a HAR for drift', `{"log":{"entries":[{"request":${DEEP}}]}}`, ['drift', '--har', 'FILE'], SAYS],
    ['a journal', journalLine(DEEP), ['webhooks', 'replay', 'FILE', '--to', 'http://127.0.0.1:9/'], /line 1 is no/],
    ['items of certify', DEEP, ['certify', '--items', 'FILE', '--run', 'true'], SAYS],
    ['profiles', DEEP, ['profiles', 'list'], /profiles\.json/],
  ])('%s', async (_, text, args, says) => {
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

test('256 levels are read, and 257 are not, in JSON and in YAML', async () => {
  const yaml = async (text: string) => (await readYamlDocuments(text, false)).documents.length
  expect(await yaml(nested(256))).toBe(1)
  await expect(yaml(nested(257))).rejects.toThrow(TooDeepError)
  expect(await yaml(`${'- '.repeat(256)}x`)).toBe(1)
  await expect(yaml(`${'- '.repeat(257)}x`)).rejects.toThrow(TooDeepError)
})

/**
 * Files that may call JSON.parse: their text was written by this program, comes from its own package, or was checked when it was
 * read.
 */
const MAY_PARSE = [
  'src/base/json/',
  // Rows of our own databases, written from values that were within the limit.
  'src/money/operations/row.ts',
  'src/studio/page/',
  'src/sandbox/(?:seed|records|store|faults|clock|deliveries|snapshot/kinds|endpoints)/',
  'src/sync/sqlite/held-back.ts',
  // Records that the splitter of lists has checked: 100,000 of them are not looked through twice.
  'src/sync/reading/',
  'src/sync/tables/rows.ts',
  'src/terminal/input/query/language.ts',
  // What this process, or another one of this program, has just made.
  'src/terminal/output/dry-run.ts',
  'src/features/support/bundle/parts.ts',
  'src/features/sandbox/certify/run.ts',
  'src/signing/json-mistakes.ts',
  'src/terminal/completion/answer.ts',
  'src/terminal/update/source.ts',
  'src/commands/(?:commands|api/spec).ts',
  // Below the room of JSON; it looks at members and never walks the value.
  'src/base/storage/lock.ts',
]

test('every other reader of JSON text goes through parseJson or parseExact, which know the limit', () => {
  const may = new RegExp(`^(?:${MAY_PARSE.join('|')})`)
  const others = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((file) => !may.test(file.replaceAll('\\', '/')))
    .filter((file) => /\bJSON\.parse\(/.test(readFileSync(join(ROOT, file), 'utf8')))
  expect(others).toEqual([])
})
