import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { type Environment, freshDirectory, freshHome, runPartner } from '../support/partner.ts'
import { answers, RAW_KEY, startRawServer } from '../support/raw-server.ts'
import { expectRefusal } from '../support/refusal.ts'

import { toolPath, WINDOWS } from '../support/windows.ts'

needs(WINDOWS)

/** Creates a directory where a test can run partner. `windows` is the directory's Windows path. */
function place(more: Environment = {}) {
  const cwd = freshDirectory()
  const home = freshHome()
  const env = { ...home, PARTNER_PROFILE: 'sandbox', ...more }
  const run = (...args: readonly string[]) => runPartner(args, { env, cwd })
  const succeed = async (...args: readonly string[]) => {
    const done = await run(...args)
    expect(done.code, done.stderr).toBe(0)
    return done
  }
  return { cwd, home, run, succeed, windows: toolPath(cwd) }
}

describe('invalid Windows file names', () => {
  const DEVICE = 'is a device on Windows'
  const ENDING = 'ends in a dot or space, which Windows removes'
  const STREAM = 'has a colon and so names a stream of another file on Windows'

  test.each([
    [['bookings', 'sync', '--to'], 'con.db', DEVICE],
    [['bookings', 'sync', '--to'], 'NUL', DEVICE],
    [['bookings', 'sync', '--to'], 'aux.ndjson', DEVICE],
    [['bookings', 'sync', '--to'], 'venue.db:x.db', STREAM],
    [['bookings', 'statuses', '--har'], 'COM1', DEVICE],
    [['bookings', 'statuses', '--har'], 'x.har.', ENDING],
    [['bookings', 'statuses', '--har'], 'x.har ', ENDING],
    [['bookings', 'statuses', '--har'], 'x.har:y', STREAM],
    [['support', 'bundle', '--out'], 'lpt1.zip', DEVICE],
    [['report', 'night', '--copy', 'venue.db', '--html'], 'prn.html', DEVICE],
    [['tables', 'check', 'x.csv', '--map-out'], 'con.csv', DEVICE],
    [['sales', 'import'], '*.ndjson', 'contains "*", which Windows does not allow'],
    [['sandbox', 'start', '--data'], 'nul', DEVICE],
    [['sandbox', 'snapshot', 'save'], 'aux', 'a snapshot cannot be named "aux": it is a device on Windows'],
    [['sandbox', 'snapshot', 'save'], '.\\aux.snapshot', DEVICE],
  ])('%j rejects the file name %s and creates nothing', async (args, name, says) => {
    const { cwd, run } = place()
    writeFileSync(join(cwd, 'x.csv'), 'T1\n')
    expectRefusal(await run(...args, name), { code: 2, says })
    expect(readdirSync(cwd)).toEqual(['x.csv'])
  })

  test('PARTNER_DATA_DIR is rejected if it is not an absolute path or contains a device name', async () => {
    for (const [path, says] of [
      ['C:\\aux', 'PARTNER_DATA_DIR: C:\\aux contains "aux", which is a device on Windows'],
      ['C:data', 'PARTNER_DATA_DIR must be an absolute path'],
    ] as const)
      expectRefusal(await place({ PARTNER_DATA_DIR: path }).run('operations', 'list'), { code: 2, says })
  })
})

describe('Windows paths', () => {
  const LONG = ['Übung mit Leerzeichen', 'd'.repeat(120), 'e'.repeat(120), 'venue']

  test.each([
    ['with spaces, umlauts and more than 260 characters', (windows: string) => [windows, ...LONG].join('\\')],
    ['with slashes', (windows: string) => [windows, ...LONG].join('/').replaceAll('\\', '/')],
    ['relative, with backslashes', () => LONG.join('\\')],
    ['with the prefix for long paths', (windows: string) => [`\\\\?\\${windows}`, ...LONG].join('\\')],
    ['without a drive', (windows: string) => [windows.slice(2), ...LONG].join('\\')],
  ])('a sync writes each kind of copy to a path %s', async (_form, pathOf) => {
    const { cwd, windows, run, succeed } = place()
    mkdirSync(join(cwd, ...LONG.slice(0, -1)), { recursive: true })
    for (const extension of ['ndjson', 'csv', 'db']) {
      const file = `${pathOf(windows)}.${extension}`
      await succeed('bookings', 'sync', '--to', file)
      expect(existsSync(join(cwd, ...LONG.slice(0, -1), `venue.${extension}`))).toBe(true)
      expect((await run('bookings', 'sync', '--to', file)).stderr).toMatch(/: 0 new, 0 changed/)
      await succeed('bookings', 'sync', 'status', '--to', file)
    }
  })

  test("partner's own files can have long paths with spaces and umlauts", async () => {
    const { cwd } = place()
    const dirs = ['CONFIG', 'DATA', 'CACHE'].map((kind) => [`PARTNER_${kind}_DIR`, toolPath(join(cwd, ...LONG, kind))])
    const { succeed } = place(Object.fromEntries(dirs))
    await succeed('giftcards', 'redeem', 'GIFT1-00000100-AAAA', '--amount', '5')
    await succeed('sandbox', 'snapshot', 'save', 'friday')
    await succeed('profiles', 'add', 'dev', '--base-url', 'https://dev.example', '--api-key', 'env:K')
    expect(readdirSync(join(cwd, ...LONG, 'DATA'))).toContain('operations.db')
  })

  test('paths in output include the drive', async () => {
    const { home, succeed } = place()
    const { file } = JSON.parse((await succeed('sandbox', 'snapshot', 'save', 'friday', '--json')).stdout)
    expect(file).toBe(toolPath(join(home.PARTNER_DATA_DIR, 'snapshots', 'friday.snapshot')))
  })

  test("sales import uses the same journal even if a later run spells the file's path differently", async () => {
    const { cwd, succeed } = place()
    const sale = { origin: { saleId: 'S-1' }, staff: { id: 'a' }, table: { seats: 2 }, bookingId: 'BK-1003' }
    writeFileSync(join(cwd, 'sales.ndjson'), JSON.stringify({ ...sale, total: { amount: 500, currency: 'AUD' } }))
    await succeed('sales', 'import', 'sales.ndjson')
    expect((await succeed('sales', 'import', '.\\SALES.NDJSON')).stderr).toContain('1 accepted in earlier runs')
    expect(readdirSync(cwd).filter((name) => /journal$/i.test(name))).toEqual(['sales.ndjson.journal'])
  })

  test('profiles have separate files even if their names are device names or differ only in case', async () => {
    const server = await startRawServer(() => answers(200, []))
    const { home, succeed } = place({ PARTNER_PROFILE: undefined, K: RAW_KEY })
    for (const name of ['con', 'dev', 'Dev']) {
      const address = ['--base-url', server.baseUrl, '--environment', 'development']
      await succeed('profiles', 'add', name, ...address, '--api-key', 'env:K')
      await succeed('bookings', 'statuses', '--record', '-p', name)
    }
    const files = readdirSync(join(home.PARTNER_DATA_DIR, 'shapes')).filter((name) => name.endsWith('.json'))
    expect(files.sort()).toEqual(['^^con.json', '^dev.json', 'dev.json'])
  })

  test('the path of a secret file can start with ~ and a backslash', async () => {
    const directory = freshDirectory()
    writeFileSync(join(directory, 'key'), 'secret\r\n')
    const { succeed } = place({ PARTNER_PROFILE: undefined, HOME: directory })
    const given = ['--base-url', 'https://dev.example', '--environment', 'development', '--api-key', 'env:K']
    await succeed('profiles', 'add', 'dev', ...given, '--signing-secret', 'file:~\\key')
    const sign = ['sign', '--url', 'https://dev.example/x', '--body', 'x']
    const signed = await succeed(...sign)
    const { succeed: succeedWith } = place({ PARTNER_PROFILE: undefined, PARTNER_SIGNING_SECRET: 'secret' })
    expect(signed.stdout).toBe((await succeedWith(...sign)).stdout)
  })

  test('the path in a suggested command works in PowerShell and cmd', async () => {
    const { run } = place()
    const { stderr } = await run('bookings', 'sync', '--to', 'not here\\venue.db')
    expect(stderr).toMatch(/next: create it first: mkdir "Z:\\[^"]*\\not here"/)
  })
})

test('output on Windows has LF line endings and no byte order mark', async () => {
  const { cwd, succeed } = place()
  const outputs = ['ndjson', 'csv'].map((extension) => `b.${extension}`)
  for (const file of outputs) await succeed('bookings', 'sync', '--to', file)
  const printed = ['ndjson', 'csv', 'tsv', 'table', 'json'].map((format) =>
    succeed('giftcards', 'list', '--include-expired', '-o', format),
  )
  const texts = [
    ...outputs.map((file) => readFileSync(join(cwd, file), 'utf8')),
    ...(await Promise.all(printed)).map(({ stdout }) => stdout),
  ]
  for (const text of texts) {
    expect(text).toMatch(/\n$/)
    expect(text).not.toMatch(/\r|^\ufeff/)
  }
})
