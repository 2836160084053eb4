import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aged, rewriteRows } from '../../money/rows.ts'
import { parseNdjson } from '../../support/ndjson.ts'
import { freshDirectory, freshHome, type Run, runPartner, runShell } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'

/** Starts a service that lists the given sales, for a venue in Sydney. */
async function office(listed: readonly object[]) {
  const server = await startRawServer(({ target }) => {
    const items = listed.slice(Number(new URL(target, 'http://service').searchParams.get('StartIndex')))
    return answers(200, { from: 0, to: items.length, length: items.length, items })
  })
  const cwd = freshDirectory()
  const env = { ...freshHome(), ...server.env, PARTNER_TIMEZONE: 'Australia/Sydney', HOME: cwd }
  return {
    ...{ server, cwd, env },
    run: (...args: readonly string[]): Promise<Run> => runPartner(['sales', 'reconcile', ...args], { env, cwd }),
    write: (name: string, lines: readonly (object | string)[]) => {
      const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      writeFileSync(join(cwd, name), texts.map((line) => `${line}\n`).join(''))
      return name
    },
    read: (name: string) => readFileSync(join(cwd, name), 'utf8'),
  }
}

/** Returns a sale that was closed at 21:40 in Sydney, in the service's format. */
function listed(transactionId: string, total: number, bookingId: string | null = 'BK-1', more: object = {}) {
  return { bookingId, saleDetail: { transactionId, transactionDateTime: '2026-11-20T10:40:00Z', total, ...more } }
}

/** Returns the same sale in the POS's format. */
function closed(saleId: string, amount: number, more: object = {}) {
  return {
    ...{ origin: { saleId }, staff: { id: 'anna' }, table: { seats: 2 }, bookingId: 'BK-1' },
    ...{ closedZonedDateTime: '2026-11-20T10:40:00Z', total: { amount, currency: 'AUD' } },
    ...more,
  }
}

test('sales reconcile lists each difference with its kind and next step, followed by totals that add up', async () => {
  const at = await office([
    listed('S-2', 100),
    listed('S-2', 100, 'BK-2'),
    listed('S-3', 1),
    listed('S-4', 20, null),
    listed('S-5', 30, 'BK-5'),
    listed('S-6', 40, 'BK-1', { transactionDateTime: '2026-11-20T21:40:00Z' }),
    listed('S-7', 0.1),
    listed('S-8', -5),
    listed('X-1', 0.2),
    // These two sales are outside the compared day, so no difference is reported.
    listed('X-2', 7, 'BK-1', { transactionDateTime: '2026-11-19T10:00:00Z' }),
    listed('X-3', 7, 'BK-1', { transactionDateTime: '2026-11-20T13:00:00Z' }),
  ])
  const refund = closed('S-8', 500, { type: 'REFUND', origin: { saleId: 'S-8', originalSaleId: 'S-0' } })
  const file = at.write('closings.ndjson', [
    ...[closed('S-1', 1250), closed('S-2', 10_000), closed('S-3', 10_000), closed('S-4', 2000), closed('S-5', 3000)],
    ...[closed('S-6', 4000), closed('S-7', 10), refund],
  ])
  const run = await at.run(file)
  expect(run.code).toBe(11)
  expect(run.stdout).toMatchInlineSnapshot(`
    "KIND           SALE ID     POS  SERVICE  DIFFERENCE
    missing        S-1       12.50                12.50
      line 1; closed 2026-11-20 21:40; the service does not list it
      next: write the sale to a file with --fix FILE, and submit the file with sales import
    extra          X-1                 0.20       -0.20
      closed 2026-11-20 21:40; booking BK-1; the file does not have it
      next: look for it at the POS; for its history: partner timeline sale X-1
    doubled        S-2      100.00   200.00     -100.00
      the service lists it twice: BK-1, BK-2
      next: ask the service to remove the duplicates, because partner cannot; for its history: partner timeline sale S-2
    total          S-3      100.00     1.00       99.00
      line 3; the service's total is too low by a factor of 100: currency units were sent as cents
      next: the same ID cannot be sent again: ask the service to correct the sale, or send the difference under a new ID
    unlinked       S-4       20.00    20.00        0.00
      line 4; the POS names booking BK-1, but the service has not linked it to a booking
      next: the same ID cannot be sent again: ask the service to link the sale to its booking
    booking        S-5       30.00    30.00        0.00
      line 5; the POS names booking BK-1, but the service names BK-5
      next: the same ID cannot be sent again: ask the service to link the sale to its booking
    orphan-refund  S-8       -5.00    -5.00        0.00
      line 8; a refund of sale S-0, which neither the file nor the service lists around 2026-11-20; the original sale is taken from the file alone, as the service does not list it
      next: look for the original sale; for its history: partner timeline sale S-0
    day            S-6       40.00    40.00        0.00
      line 6; closed 2026-11-20 21:40 at the POS, 2026-11-21 08:40 in the service (Australia/Sydney); the venue's local time was sent as UTC
      next: configure the POS to send times in UTC or with an offset; sales that were already sent do not change

    KIND           SALES     POS  SERVICE  DIFFERENCE
    equal              6  185.10   185.10        0.00
    missing            1   12.50     0.00       12.50
    extra              1    0.00     0.20       -0.20
    doubled            1    0.00   100.00     -100.00
    total              1  100.00     1.00       99.00
    unlinked           1                         0.00
    booking            1                         0.00
    orphan-refund      1                         0.00
    day                1                         0.00
    all                9  297.60   286.30       11.30
    "
  `)
  expect(run.stderr).toMatch(/error: the books differ by 11\.30: 1 missing, 1 extra, 1 doubled, 1 total, 1 unlinked/)
  expect(run.stderr).toContain('currency, type and original sale are taken from the file alone')

  const json = JSON.parse((await at.run(file, '--json')).stdout)
  expect(Object.keys(json)).toEqual(['differences', 'totals'])
  const byKind = {
    ...{ missing: '12.50', extra: '-0.20', doubled: '-100.00', total: '99.00' },
    ...{ unlinked: '0.00', booking: '0.00', 'orphan-refund': '0.00', day: '0.00' },
  }
  expect(json.totals).toEqual({ ...{ pos: '297.60', service: '286.30', difference: '11.30' }, byKind })
  const csv = (await at.run(file, '-o', 'csv')).stdout.trimEnd().split('\n')
  expect(csv).toHaveLength(1 + json.differences.length)
  expect(csv[0]).toBe('kind,saleId,pos,service,difference,detail,next')
  expect(parseNdjson((await at.run(file, '-o', 'ndjson')).stdout)).toEqual(json.differences)
})

test('sales reconcile requests an extra day on either side, but compares only the sales of --date', async () => {
  const at = await office([listed('S-1', 12.5)])
  const other = closed('S-0', 900, { closedZonedDateTime: '2026-11-18T10:40:00Z' })
  const file = at.write('closings.ndjson', [other, closed('S-1', 1250)])
  let seen = 0
  const windows = () => {
    const fresh = at.server.requests.slice(seen)
    seen += fresh.length
    return fresh.flatMap(({ target }) => {
      const { searchParams } = new URL(target, 'http://service')
      return searchParams.get('StartIndex') === '0'
        ? [`${searchParams.get('StartDate')} ${searchParams.get('EndDate')}`]
        : []
    })
  }
  expect(await at.run(file)).toMatchObject({ code: 11 })
  expect(windows()).toEqual(['2026-11-16T13:00:00.000Z 2026-11-21T12:59:59.999Z'])
  const run = await at.run(file, '--date', '2026-11-20')
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^all +1 +12\.50 +12\.50 +0\.00$/m) })
  expect(run.stderr).toContain('1 sale skipped: in the file, but closed on days that are not compared')
  expect(run.stderr).toContain('the books agree: 1 sale, 12.50, 2026-11-20')
  expect(windows()).toEqual(['2026-11-18T13:00:00.000Z 2026-11-21T12:59:59.999Z'])
  // --date is required if no sale in the file has a closing time.
  const { closedZonedDateTime: _when, ...undated } = closed('S-1', 1250)
  at.write('undated.ndjson', [undated])
  expectRefusal(await at.run('undated.ndjson'), { code: 2, says: 'does not say when', next: /--date yesterday/ })
  expect(await at.run('undated.ndjson', '--date', '2026-11-20')).toMatchObject({ code: 0 })
})

test('sales reconcile --date reports a sale whose date in the file differs from its date in the service', async () => {
  const at = await office([listed('S-1', 12.5)])
  at.write('closings.ndjson', [closed('S-1', 1250, { closedZonedDateTime: '2026-11-20T23:40:00Z' })])
  const { differences } = JSON.parse((await at.run('closings.ndjson', '--date', '2026-11-20', '--json')).stdout)
  expect(differences).toEqual([expect.objectContaining({ kind: 'day', saleId: 'S-1', difference: '0.00' })])
})

describe('sales reconcile with CSV input', () => {
  const MAP = ['--map', 'saleId=Bon,total=Summe inkl. MwSt', '--map', 'closed=Zeit,bookingId=Buchung']
  const HEADER = '\ufeffBon;Zeit;Summe inkl. MwSt;Buchung'
  const ROWS = [HEADER, '7;20.11.2026 21:40;1.234,50;BK-1', '8;20.11.2026 21:40;12,5;BK-1']

  test('sales reconcile reads CSV amounts in currency units, and --fix warns about members that the CSV lacks', async () => {
    const at = await office([listed('7', 1234.5)])
    const withReturns = ROWS.map((row) => `${row}\r`)
    const run = await at.run(at.write('till.csv', withReturns), ...MAP, '--fix', 'missing.ndjson')
    expect(run).toMatchObject({ code: 11, stdout: expect.stringMatching(/^missing +8 +12\.50 +12\.50$/m) })
    expect(JSON.parse(at.read('missing.ndjson'))).toEqual({
      ...{ origin: { saleId: '8' }, source: { type: 'POS' }, type: 'SALE' },
      ...{ openedZonedDateTime: '2026-11-20T10:40:00.000Z', closedZonedDateTime: '2026-11-20T10:40:00.000Z' },
      ...{ bookingId: 'BK-1', total: { amount: 1250 } },
    })
    for (const lack of ['staff.id', 'table.seats', 'total.currency'])
      expect(run.stderr).toMatch(new RegExp(`warning: missing.ndjson: ${lack} is required in 1 sale`))
    expect(run.stderr).toContain('refunds are not checked')
  })

  test('sales reconcile reads CSV from standard input', async () => {
    const at = await office([listed('7', 1234.5), listed('8', 12.5)])
    at.write('till.csv', ROWS)
    const run = await runShell(`partner sales reconcile - ${MAP.map((word) => `'${word}'`).join(' ')} < till.csv`, at)
    expect(run, run.stderr).toMatchObject({ code: 0 })
  })

  test('sales reconcile requires --map for unknown CSV columns and lists the columns in the file', async () => {
    const at = await office([])
    at.write('till.csv', ROWS)
    const says = '--map must say'
    expectRefusal(await at.run('till.csv'), { code: 2, says, next: /Bon, Zeit, Summe inkl. MwSt, Buchung/ })
    expectRefusal(await at.run('gone.csv', ...MAP), { code: 2, says: 'there is no such file' })
    expect(at.server.requests).toEqual([])
  })
})

describe('sales reconcile --fix', () => {
  test('sales reconcile --fix copies the lines of missing sales unchanged, but omits a sale with conflicting lines', async () => {
    const at = await office([])
    const line =
      '{"origin":{"saleId":"S-1"},"total":{"amount":1.25e3,"currency":"AUD"},"closedZonedDateTime":"2026-11-20T10:40:00Z","x":0.10}'
    at.write('closings.ndjson', [closed('S-0', 100), line, closed('S-0', 200), closed('S-2', 1), closed('S-2', 1)])
    const run = await at.run('closings.ndjson', '--fix', 'missing.ndjson')
    expect(run.code).toBe(11)
    expect(at.read('missing.ndjson')).toBe(`${line}\n${JSON.stringify(closed('S-2', 1))}\n`)
    expect(run.stderr).toContain('S-0 is missing, but its lines in the file contradict each other, so --fix omits it')
    expect(run.stderr).toMatch(/warning: missing.ndjson: staff.id is required in 1 sale/)
    expect(run.stdout).toContain('doubled at the POS: lines 1, 3 of the file')
  })

  test('sales reconcile --fix never overwrites a file and creates none if no sale is missing', async () => {
    const at = await office([listed('S-1', 12.5)])
    at.write('closings.ndjson', [closed('S-1', 1250)])
    expectRefusal(await at.run('closings.ndjson', '--fix', 'closings.ndjson'), { code: 2, says: 'already exists' })
    expectRefusal(await at.run('closings.ndjson', '--fix', 'no/missing.ndjson'), { code: 2, says: 'cannot be written' })
    expect(at.server.requests).toEqual([])
    const stderr = expect.stringContaining('nothing is missing: missing.ndjson was not written')
    expect(await at.run('closings.ndjson', '--fix', 'missing.ndjson')).toMatchObject({ code: 0, stderr })
    expect(existsSync(join(at.cwd, 'missing.ndjson'))).toBe(false)
  })
})

test('sales reconcile exits with code 2 and names the unreadable lines without sending anything', async () => {
  const at = await office([])
  const cents = { amount: 12.5, currency: 'AUD' }
  at.write('closings.ndjson', [closed('S-1', 1), closed('S-2', 1, { total: cents }), '{', '', '{}', listed('S-3', 1)])
  const run = await at.run('closings.ndjson')
  expectRefusal(run, { code: 2, says: 'line 2: total.amount must be whole cents, not 12.5' })
  for (const says of [
    'line 3: ',
    'line 5: origin.saleId is required',
    "line 6: it is a sale in the format of the service's list",
  ])
    expect(run.stderr).toContain(says)
  expect(at.server.requests).toEqual([])
})

test.each([
  [['gone.ndjson'], 'there is no such file'],
  [['till.ndjson', '--date', 'today 18:00'], 'is not a day'],
  [['till.ndjson', '--source', 'x'], '--source needs --copy'],
  [['till.ndjson', '--copy', 'venue.csv'], 'does not contain complete records'],
  [['till.ndjson', '--copy', 'venue.db'], '--copy venue.db cannot be read: no such file'],
  [['till.ndjson', '--map', 'saleId=A,total=B'], 'is NDJSON, but --map is for CSV'],
])('sales reconcile %j exits with code 2 without sending a request', async (args, says) => {
  const at = await office([])
  at.write('till.ndjson', [closed('S-1', 1)])
  expectRefusal(await at.run(...args), { code: 2, says })
  expect(at.server.requests).toEqual([])
})

test("sales reconcile --copy reads one source's sales from a copy and warns if the copy may be outdated", async () => {
  const at = await office([listed('S-1', 12.5), listed('S-1', 12.5, 'BK-2'), listed('S-2', 20)])
  const sync = ['sales', 'sync', '--source', 'city', '--since', '2026-11-19T00:00:00Z', '--to']
  expect(await runPartner([...sync, 'venue.db'], at)).toMatchObject({ code: 0 })
  const asked = at.server.requests.length
  at.write('closings.ndjson', [closed('S-1', 1250), closed('S-3', 100)])
  const run = await at.run('closings.ndjson', '--copy', 'venue.db', '--source', 'city', '--json')
  expect(run).toMatchObject({ code: 11 })
  expect(JSON.parse(run.stdout).totals).toMatchObject({ pos: '13.50', service: '45.00', difference: '-31.50' })
  expect(run.stderr).toContain('compare again without --copy')
  const says = '--copy venue.db has no sales of harbour'
  expectRefusal(await at.run('closings.ndjson', '--copy', 'venue.db', '--source', 'harbour'), { code: 2, says })
  at.write('late.ndjson', [closed('S-4', 100, { closedZonedDateTime: new Date(Date.now() + 3_600_000).toISOString() })])
  const behind = await at.run('late.ndjson', '--copy', 'venue.db', '--source', 'city')
  expect(behind.stderr).toMatch(/warning: the copy ends at .*before the last closing in the file/)
  expect(at.server.requests).toHaveLength(asked)
})

describe('sales reconcile with accepted sales that the service does not list', () => {
  /** Starts a service that accepts sales but links none to a booking, so it lists none. */
  async function unlinking(answer: (saleId: string) => ReturnType<typeof answers> | null) {
    const server = await startRawServer(({ method, body }) => {
      if (method !== 'POST') return answers(200, { from: 0, to: 0, length: 0, items: [] })
      return answer(JSON.parse(body.toString()).origin.saleId) ?? answers(200, {})
    })
    const cwd = freshDirectory()
    const env = { ...freshHome(), ...server.env, PARTNER_TIMEZONE: 'Australia/Sydney', HOME: cwd }
    const sales = (...args: readonly string[]): Promise<Run> => runPartner(['sales', ...args], { env, cwd })
    const write = (name: string, ...lines: readonly object[]) =>
      writeFileSync(join(cwd, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const kinds = async (...args: readonly string[]) => {
      const run = await sales('reconcile', 'closings.ndjson', '--json', ...args)
      const { differences } = JSON.parse(run.stdout) as { differences: { kind: string; saleId: string }[] }
      return { run, kinds: differences.map(({ kind, saleId }) => `${kind} ${saleId}`) }
    }
    return { cwd, env, sales, write, kinds, fixed: () => readFileSync(join(cwd, 'missing.ndjson'), 'utf8') }
  }
  const atTable = (saleId: string) => closed(saleId, 1250, { bookingId: undefined, table: { seats: 2, number: '5' } })

  test('sales reconcile --fix omits accepted sales, and without --force also possibly accepted sales', async () => {
    const exists = answers(409, { message: 'A sale with this ID exists.' })
    const at = await unlinking((id) => ({ 'S-409': exists, 'S-502': answers(502, {}) })[id] ?? null)
    at.write('closings.ndjson', ...['S-1', 'S-409', 'S-502'].map(atTable))
    await at.sales('import', 'closings.ndjson', '--retries', '0')
    at.write('closings.ndjson', ...['S-1', 'S-409', 'S-502', 'S-2'].map(atTable))
    const { run, kinds } = await at.kinds('--fix', 'missing.ndjson')
    expect(kinds).toEqual(['missing S-409', 'missing S-502', 'missing S-2', 'unlinked S-1'])
    expect(at.fixed()).toBe(`${JSON.stringify(atTable('S-2'))}\n`)
    expect(run.stderr).toContain('omitted 2 missing sales that the service may have: S-409, S-502; --force')
    expect(JSON.parse(run.stdout)).toMatchObject({ totals: { pos: '50.00', service: '12.50' } })
    rmSync(join(at.cwd, 'missing.ndjson'))
    await at.kinds('--fix', 'missing.ndjson', '--force')
    expect(at.fixed()).not.toContain('"S-1"')
    expect(at.fixed()).toContain('"S-409"')
  })

  test('sales reconcile finds accepted sales in every import journal next to the file and ignores other files', async () => {
    const at = await unlinking(() => null)
    at.write('closings.ndjson', atTable('S-1'), atTable('S-2'))
    expect((await at.kinds('--fix', 'missing.ndjson')).kinds).toEqual(['missing S-1', 'missing S-2'])
    expect((await at.sales('import', 'missing.ndjson')).code).toBe(0)
    writeFileSync(join(at.cwd, 'other.journal'), 'not ours\n')
    expect((await at.kinds()).kinds).toEqual(['unlinked S-1', 'unlinked S-2'])
  })

  test('sales reconcile --journal finds accepted sales in the given journal and refuses a file that is not a journal', async () => {
    const at = await unlinking(() => null)
    const elsewhere = freshDirectory()
    const journal = join(elsewhere, 'night.journal')
    at.write('closings.ndjson', atTable('S-1'))
    await at.sales('import', 'closings.ndjson', '--journal', journal)
    expect((await at.kinds()).kinds).toEqual(['missing S-1'])
    expect((await at.kinds('--journal', journal)).kinds).toEqual(['unlinked S-1'])
    const wrong = join(elsewhere, 'wrong.journal')
    const refused = (says: string) =>
      at
        .sales('reconcile', 'closings.ndjson', '--journal', wrong, '--fix', 'missing.ndjson')
        .then((run) => expectRefusal(run, { code: 2, says }))
    await refused(`--journal ${JSON.stringify(wrong)} does not exist`)
    const done = await at.sales('reconcile', 'closings.ndjson', '--journal', '')
    expectRefusal(done, { code: 2, says: '--journal "" does not exist' })
    writeFileSync(wrong, 'rubbish\n')
    await refused('is damaged at line 1')
    expect(existsSync(join(at.cwd, 'missing.ndjson'))).toBe(false)
  })

  test('sales reconcile finds a sale that sales create sent, even after the operation was removed', async () => {
    const at = await unlinking((saleId) => (saleId === 'S-2' ? answers(502, {}) : null))
    at.write('closings.ndjson', atTable('S-1'), atTable('S-2'), atTable('S-3'))
    await at.sales('create', '--data', JSON.stringify(atTable('S-1')))
    rewriteRows(join(at.env.PARTNER_DATA_DIR, 'operations.db'), (row) => aged(row, 30 * 86_400_000))
    await at.sales('create', '--data', JSON.stringify(atTable('S-2')), '--retries', '0')
    expect((await at.kinds('--fix', 'missing.ndjson')).kinds).toEqual(['missing S-2', 'missing S-3', 'unlinked S-1'])
    expect(at.fixed()).toBe(`${JSON.stringify(atTable('S-3'))}\n`)
  })

  test('sales reconcile only warns about a damaged journal, but refuses it with --fix', async () => {
    const at = await unlinking(() => null)
    at.write('closings.ndjson', atTable('S-1'))
    await at.sales('import', 'closings.ndjson')
    appendFileSync(join(at.cwd, 'closings.ndjson.journal'), 'rubbish\n')
    const says = 'is damaged at line 4'
    expectRefusal(await at.sales('reconcile', 'closings.ndjson', '--fix', 'missing.ndjson'), { code: 2, says })
    expect(existsSync(join(at.cwd, 'missing.ndjson'))).toBe(false)
    expect((await at.kinds()).run.stderr).toContain('is damaged at line 4')
  })
})
