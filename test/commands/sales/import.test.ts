import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ids, openTill, outcomes, results, sale } from '../../client/bulk/importing.ts'
import { skipWithout } from '../../support/needs.ts'
import { freshDirectory, freshHome, runPartner, runShell } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, refused, reportedError } from '../../support/refusal.ts'
import { runInTerminal, runLineInTerminal, shellLine, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { NAMED_PIPES, WITHOUT_LINKS } from '../../support/windows.ts'

const { env: venueEnv, json } = await venueOfThisFile()

const SANDBOX_SALE = { bookingId: 'BK-1003', table: { seats: 2 } }

describe('sales import', () => {
  test('sales import submits each line to the sandbox, with the defaults of sales create', async () => {
    const file = join(freshDirectory(), 'sales.ndjson')
    writeFileSync(file, `${sale('I-1', SANDBOX_SALE)}\n${sale('I-2', SANDBOX_SALE)}\n`)
    const env = { ...freshHome(), ...venueEnv }
    const run = await runPartner(['sales', 'import', file], { env })
    expect(run).toMatchObject({ code: 0, stderr: '2 accepted\n' })
    expect(outcomes(run).map(String)).toEqual(['1,I-1,accepted', '2,I-2,accepted'])
    const listed = (await json('sales', 'list')) as { saleDetail: { transactionId: string; total: number } }[]
    expect(listed.filter(({ saleDetail }) => saleDetail.transactionId.startsWith('I-'))).toHaveLength(2)
    expect((await runPartner(['operations', 'list', '--json'], { env })).stdout).toBe('[]\n')
  })

  test('sales import prints one NDJSON line for each sale, with its members in a fixed order', async () => {
    const { stdout } = await (await openTill([sale('T-1')])).import()
    expect(stdout).toBe('{"line":1,"saleId":"T-1","outcome":"accepted","status":200,"message":null}\n')
  })

  test('sales import prints its results as CSV or a table and supports --query', async () => {
    const till = await openTill([sale('T-1'), '{'])
    expect((await till.import('-o', 'csv')).stdout).toBe(
      'line,saleId,outcome,status,message\n2,,invalid,,the JSON is incomplete\n1,T-1,accepted,200,\n',
    )
    expect((await till.import('--query', '[].outcome', '--raw')).stdout).toBe('accepted\ninvalid\n')
    expect((await till.import('-o', 'table')).stdout).toMatch(/^LINE +SALE ID +OUTCOME/)
  })

  test('sales import sends the valid lines, reports the malformed lines and exits with code 11', async () => {
    const lines = ['{bad', '[]', '"x"', sale('').replace('"saleId":""', '"x":1'), sale('T-5')]
    const more = [sale('T-6', { table: {} }), sale('T-7', { total: { amount: 1.5, currency: 'aud' } }), '{"a":1,"a":2}']
    const till = await openTill([...lines, ...more])
    const run = await till.import('-o', 'ndjson')
    const details = { accepted: 1, invalid: 7, failed: 7, of: 8 }
    expect(reportedError(run)).toMatchObject({ exitCode: 11, code: 'PARTIAL_FAILURE', details })
    const said = results(run).map(({ outcome, message }) => `${outcome}: ${message}`)
    expect(said[3]).toContain('origin.saleId is required')
    expect(said[4]).toBe('accepted: null')
    expect(said[5]).toContain('table.seats is required')
    expect(said[6]).toMatch(/total.amount .*; total.currency must be an ISO 4217 code/)
    expect(said[7]).toContain('it contains a duplicate member')
    expect(till.server.commits.map(({ target }) => target)).toEqual(['T-5'])
  })

  test('sales import --no-validate sends invalid sales, except those without an ID', async () => {
    const till = await openTill([sale('T-1', { table: {}, total: 'much' }), '{"a":1}'])
    expect(outcomes(await till.import('--no-validate'))).toEqual([
      [1, 'T-1', 'accepted'],
      [2, null, 'invalid'],
    ])
  })

  test('sales import sends nothing if two lines of the file have the same sale ID', async () => {
    const till = await openTill([sale('T-1'), '', sale('T-2'), sale('T-1', { total: { amount: 1, currency: 'AUD' } })])
    expectRefusal(await till.import(), { code: 2, says: 'sale "T-1" appears in lines 1, 4', next: 'only once' })
    expectRefusal(await till.import('--dry-run'), { code: 2, says: 'sale "T-1" appears in lines 1, 4' })
    expect(till.server.requests).toHaveLength(0)
  })

  test.each([
    ['the first', [sale('T-1', { table: {} }), sale('T-1')]],
    ['the second', [sale('T-1'), sale('T-1', { table: {} })]],
    ['each', [sale('T-1', { table: {} }), sale('T-1', { total: 'much' })]],
  ])(
    'sales import refuses a file with the same sale ID on two lines, even if %s line is invalid',
    async (_which, lines) => {
      const till = await openTill([...lines, sale('T-2')])
      expectRefusal(await till.import(), { code: 2, says: 'sale "T-1" appears in lines 1, 2', next: 'only once' })
      expect(till.server.requests).toHaveLength(0)
    },
  )

  test('sales import warns about sales without a booking or a table and names their lines', async () => {
    const alone = (id: string) => sale(id, { table: { seats: 2 } })
    const till = await openTill([sale('T-1'), alone('T-2'), '', alone('T-3')])
    const words = 'warning: 2 of 3 sales without a booking or a table (lines 2, 4): the service cannot link them\n'
    expect((await till.import('--dry-run')).stderr).toContain(words)
    expect((await till.import()).stderr).toContain(words)
  })

  test('sales import distinguishes a rejected sale from a sale that the service already has', async () => {
    const till = await openTill([sale('T-1'), sale('T-2')])
    till.server.ledger.sell('T-1', {})
    till.server.setFaults('write', 'T-2', [{ kind: 'refused', status: 400, body: { message: 'No.' } }])
    const run = await till.import('-o', 'ndjson')
    expect(results(run)).toMatchObject([
      { outcome: 'already-there', status: 409 },
      { outcome: 'rejected', status: 400, message: 'No.' },
    ])
    expect(reportedError(run)).toMatchObject({ exitCode: 11, details: { 'already-there': 1, rejected: 1 } })
    const again = await till.import()
    expect(outcomes(again).map(String)).toEqual(['1,T-1,already-there', '2,T-2,accepted'])
    expect([again.code, till.server.writesOn('T-1'), till.server.writesOn('T-2')]).toEqual([11, 1, 2])
  })

  test.each([
    [401, 4],
    [403, 11],
  ])('if the service responds to sales with %s, sales import exits with code %s', async (status, code) => {
    const server = await startRawServer([answers(status, { message: 'Unauthorized' })])
    const file = join(freshDirectory(), 'sales.ndjson')
    const lines = ids(20).map((id) => `${sale(id)}\n`)
    writeFileSync(file, lines.join(''))
    expect((await server.run(['sales', 'import', file])).code).toBe(code)
    expect(server.requests).toHaveLength(code === 4 ? 1 : 20)
  })

  test('sales import exits with code 8 if the service is unreachable, and sends all sales in a later run', async () => {
    const till = await openTill(ids(5).map((id) => sale(id)))
    const gone = await runPartner(['sales', 'import', till.file, '--retries', '0'], {
      env: { ...till.env, PARTNER_BASE_URL: 'http://127.0.0.1:1' },
    })
    expect(gone).toMatchObject({ code: 8, stdout: '' })
    // A journal can be used only with the service address for which it was created.
    expectRefusal(await till.import(), { code: 2, says: /journal .* belongs to sales import to http:\/\/127.0.0.1:1/ })
    expect(await till.import('--journal', join(dirname(till.file), 'other'))).toMatchObject({ code: 0 })
  })

  test('sales import refuses a read-only profile without creating a journal', async () => {
    const home = freshHome()
    mkdirSync(home.PARTNER_CONFIG_DIR, { mode: 0o700, recursive: true })
    const server = await startRawServer([answers(200)])
    const add = ['profiles', 'add', 'venue', '--base-url', server.baseUrl, '--api-key', 'env:SOME_KEY']
    const env = { ...home, SOME_KEY: 'k' }
    expect(await runPartner(add, { env })).toMatchObject({ code: 0 })
    await runPartner(['profiles', 'set', 'venue', '--mode', 'read-only'], { env })
    const file = join(freshDirectory(), 'sales.ndjson')
    writeFileSync(file, `${sale('T-1')}\n`)
    expectRefusal(await runPartner(['sales', 'import', file, '-p', 'venue'], { env }), { code: 2, says: 'read-only' })
    expect(server.requests).toHaveLength(0)
    expect(() => readFileSync(`${file}.journal`)).toThrow('ENOENT')
  })

  test.each([['0'], ['65'], ['x']])('sales import refuses --concurrency %s', async (n) => {
    const till = await openTill([sale('T-1')])
    await refused(till.import('--concurrency', n), 2, '--concurrency must be a whole number from 1 to 64')
  })
})

describe('sales import with CSV input', () => {
  const ROWS = 'Bill;Total;Cur;Waiter;Covers;Table;Closed\nT-1;1.234,50;AUD;anna;2;5;20.11.2026 21:40\n'
  const CLOSED = '2026-11-20T10:40:00.000Z'
  const MAP = 'saleId=Bill,total=Total,currency=Cur,staffId=Waiter,seats=Covers,tableNumber=Table,closed=Closed'

  async function openCsv(text: string, name = 'till.csv') {
    const till = await openTill([])
    const file = join(dirname(till.file), name)
    writeFileSync(file, text)
    const env = { ...till.env, PARTNER_TIMEZONE: 'Australia/Sydney' }
    return { ...till, import: (...args: string[]) => runPartner(['sales', 'import', file, ...args], { env }) }
  }

  test('sales import --map imports CSV, and a second run resends nothing', async () => {
    const till = await openCsv(ROWS)
    expect(await till.import('--map', MAP)).toMatchObject({ code: 0, stderr: '1 accepted\n' })
    expect(till.server.requests.map(({ body }) => body && JSON.parse(body)).filter(Boolean)).toEqual([
      {
        ...{ origin: { saleId: 'T-1' }, source: { type: 'POS' }, type: 'SALE' },
        ...{ openedZonedDateTime: CLOSED, closedZonedDateTime: CLOSED },
        ...{ staff: { id: 'anna' }, table: { seats: 2, number: '5' } },
        total: { amount: 123_450, currency: 'AUD' },
      },
    ])
    expect(outcomes(await till.import('--map', MAP))).toEqual([[2, 'T-1', 'accepted']])
    expect(till.server.writesOn('T-1')).toBe(1)
  })

  test('sales import does not need --map if the CSV columns have the standard names', async () => {
    const till = await openCsv('SaleID,total,currency,staffId,seats,bookingId\nT-1,12.50,AUD,anna,2,BK-1\n', 'till.txt')
    expect(outcomes(await till.import())).toEqual([[2, 'T-1', 'accepted']])
  })

  test.each([
    ['without --map', ROWS, [], 'are saleId, currency, staffId, seats'],
    ['with an incomplete --map', ROWS, ['--map', 'saleId=Bill,total=Total'], 'are currency, staffId, seats'],
    [
      'with a day instead of a time',
      ROWS.replace(' 21:40', ''),
      ['--map', MAP],
      'line 2: a sale needs a time, not only a day',
    ],
    ['with an invalid amount', ROWS.replace('1.234,50', 'free'), ['--map', MAP], 'line 2: Total'],
    ['with invalid seats', ROWS.replace(';2;', ';two;'), ['--map', MAP], 'Covers must be a number of guests'],
  ])('sales import exits with code 2 and sends nothing for a CSV file %s', async (_how, text, args, says) => {
    const till = await openCsv(text)
    expectRefusal(await till.import(...args), { code: 2, says })
    expect(till.server.requests).toHaveLength(0)
  })
})

describe('sales import with unusual input', () => {
  test.each([
    ['a missing file', 'missing.ndjson', 'there is no such file'],
    ['a directory', '.', 'is a directory'],
    ['a device', '/dev/null', 'is not a file'],
  ])('sales import refuses %s as input', async (_what, file, says) => {
    const run = await runPartner(['sales', 'import', file], { env: freshHome(), cwd: freshDirectory() })
    expectRefusal(run, { code: 2, says })
  })

  test.each([
    ['a byte order mark', `\ufeff${sale('T-1')}\n${sale('T-2')}\n`],
    ['CRLF', `${sale('T-1')}\r\n${sale('T-2')}\r\n`],
    ['blank lines', `\n${sale('T-1')}\n  \n\n${sale('T-2')}\n\n`],
    ['no final line break', `${sale('T-1')}\n${sale('T-2')}`],
  ])('sales import accepts input with %s', async (_what, text) => {
    const till = await openTill([])
    writeFileSync(till.file, text)
    const run = await till.import()
    expect(run.code).toBe(0)
    expect(results(run).map(({ saleId }) => saleId)).toEqual(['T-1', 'T-2'])
  })

  test('sales import says that it sent nothing if the file is empty', async () => {
    const till = await openTill([])
    expect(await till.import()).toEqual({ code: 0, stdout: '', stderr: `${till.file} has no sales\n` })
    expect(till.server.requests).toHaveLength(0)
  })

  test('sales import accepts lines of 1 MB', async () => {
    const till = await openTill([sale('T-1', { notes: 'x'.repeat(1_000_000) }), sale('T-2')])
    expect(await till.import()).toMatchObject({ code: 0 })
  })

  test.each([
    ['a JSON list', `[\n${sale('T-1')}\n]`, /is a single JSON array/],
    ['UTF-16', Buffer.from(`\ufeff${sale('T-1')}\n`, 'utf16le'), /is UTF-16/],
  ])('sales import refuses a whole file that is %s', async (_what, content, says) => {
    const till = await openTill([])
    writeFileSync(till.file, content)
    expectRefusal(await till.import(), { code: 2, says })
  })

  test('sales import rejects only the line that is not UTF-8', async () => {
    const till = await openTill([])
    writeFileSync(till.file, Buffer.concat([Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), Buffer.from(`${sale('T-2')}\n`)]))
    const message = 'it is not UTF-8'
    expect(results(await till.import())).toMatchObject([{ outcome: 'invalid', message }, { outcome: 'accepted' }])
  })

  test('sales import requires --journal to read standard input and can resume with that journal', async () => {
    const till = await openTill([])
    const input = `${sale('T-1')}\n${sale('T-2')}`
    const piped = (...args: readonly string[]) =>
      runPartner(['sales', 'import', '-', ...args], { env: till.env, input })
    expectRefusal(await piped(), { code: 2, says: 'standard input can be read only once', next: 'keep the journal' })
    expect(till.server.requests).toHaveLength(0)
    till.server.setFaults('write', 'T-2', [{ kind: 'refused', status: 400, body: { message: 'No.' } }])
    expect(await piped('--journal', till.journal)).toMatchObject({ code: 11 })
    expect(await piped('--journal', till.journal)).toMatchObject({ code: 0 })
    expect([till.server.writesOn('T-1'), till.server.writesOn('T-2')]).toEqual([1, 2])
  })

  test('sales import reads a named pipe if --journal is given', async (context) => {
    skipWithout(context, NAMED_PIPES)
    const { env, file, journal } = await openTill([sale('T-1')])
    const run = await runShell(`partner sales import <(cat '${file}') --journal '${journal}'`, { env })
    expect(run).toMatchObject({ code: 0, stderr: '1 accepted\n' })
  })

  test('sales import uses the same journal for a file and for a symbolic link to it', async (context) => {
    skipWithout(context, WITHOUT_LINKS)
    const till = await openTill([sale('T-1')])
    const link = join(freshDirectory(), 'today.ndjson')
    symlinkSync(till.file, link)
    expect(await runPartner(['sales', 'import', link], { env: till.env })).toMatchObject({ code: 0 })
    expect((await till.import()).stderr).toContain('1 accepted in earlier runs')
    expect(till.server.writesOn('T-1')).toBe(1)
  })
})

describe('sales import --dry-run', () => {
  test('sales import --dry-run checks all lines and prints totals by currency and type without sending anything', async () => {
    const total = (amount: number, currency: string) => ({ total: { amount, currency } })
    const refund = { type: 'REFUND', ...total(500, 'AUD') }
    const sales = [sale('T-1'), sale('T-2', total(1, 'AUD')), sale('T-3', total(7, 'NZD')), sale('T-4', refund)]
    const till = await openTill(sales)
    const run = await till.import('--dry-run', '--json')
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stdout)).toEqual([
      { currency: 'AUD', type: 'REFUND', sales: 1, totalCents: 500, total: '5.00' },
      { currency: 'AUD', type: 'SALE', sales: 2, totalCents: 2501, total: '25.01' },
      { currency: 'NZD', type: 'SALE', sales: 1, totalCents: 7, total: '0.07' },
    ])
    expect(run.stderr).toContain('4 lines, 4 can be sent; nothing was sent')
    expect(till.server.requests).toHaveLength(0)
    expect(() => readFileSync(till.journal)).toThrow('ENOENT')
  })

  test('without a profile or a journal, sales import --dry-run still names the lines that cannot be sent', async () => {
    const input = `${sale('T-1')}\n{\n`
    const run = await runPartner(['sales', 'import', '-', '--dry-run', '-o', 'ndjson'], { env: freshHome(), input })
    expect(run.stderr).toContain('line 2: the JSON is incomplete')
    expect(reportedError(run)).toMatchObject({ exitCode: 11, details: { failed: 1, of: 2 } })
  })

  test('sales import --dry-run says that there are no sales to send if the only line is invalid', async () => {
    const run = await runPartner(['sales', 'import', '-', '--dry-run'], { env: freshHome(), input: '{\n' })
    expect(run).toMatchObject({ code: 11, stderr: expect.stringMatching(/^There are no sales to send\.$/m) })
    expect(run.stderr).toMatch(/: 1 line, 0 can be sent; nothing was sent$/m)
  })
})

describe('sales import at a terminal', () => {
  test('sales import shows a progress bar at a terminal even if stdout is redirected', async (context) => {
    skipWithout(context, TERMINAL)
    const till = await openTill(ids(3).map((id) => sale(id)))
    const bars: string[] = []
    till.server.setCallbacks('write', 'T-3', [() => until(() => bars.length > 0)])
    const line = `${shellLine(['sales', 'import', till.file, '--concurrency', '1'])} > /dev/null`
    expect((await runLineInTerminal(line, [['of 3', () => void bars.push('seen')]], till.env)).code).toBe(0)
  })

  test('sales import clears its progress bar when it finishes', async (context) => {
    skipWithout(context, TERMINAL)
    const till = await openTill(ids(8).map((id) => sale(id)))
    const args = ['sales', 'import', till.file]
    const { screen, standing } = await runInTerminal([...args, '--concurrency', '1'], [], till.env)
    expect(screen).toMatch(/\[?[=-]{24}\]? \d+% \| \d+ of 8/)
    expect(standing.join('\n')).not.toMatch(/---|===/)
    expect(standing.filter((row) => /^ *\d+ +T-\d +accepted/.test(row))).toHaveLength(8)
    for (const flag of ['-q', '--no-input'])
      expect((await runInTerminal([...args, flag], [], till.env)).screen).not.toMatch(/---|===/)
  })

  test('sales import prints a table at a terminal unless -o ndjson is given', async (context) => {
    skipWithout(context, TERMINAL)
    const till = await openTill([sale('T-1'), '{'])
    const { code, screen } = await runInTerminal(['sales', 'import', till.file], [], till.env)
    expect(code).toBe(11)
    expect(screen).toMatch(/^LINE +SALE ID +OUTCOME +STATUS +MESSAGE *\r?$/m)
    expect(screen).toMatch(/^ *2 +invalid +the JSON is incomplete *\r?$/m)
    expect(screen).not.toContain('{"line"')
    const json = await runInTerminal(['sales', 'import', till.file, '-o', 'ndjson'], [], till.env)
    expect(json.screen).toContain('{"line":1,"saleId":"T-1","outcome":"accepted"')
  })

  test('sales import prints "sent to" at a terminal only if this run sent a sale', async (context) => {
    skipWithout(context, TERMINAL)
    const till = await openTill([sale('T-1')])
    const args = ['sales', 'import', till.file]
    expect((await runInTerminal(args, [], till.env)).screen).toContain('sent to ')
    const again = await runInTerminal(args, [], till.env)
    expect(again.screen).toContain('1 accepted in earlier runs')
    expect(again.screen).not.toContain('sent to ')
    expect(till.server.writesOn('T-1')).toBe(1)
  })
})
