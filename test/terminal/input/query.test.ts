import { describe, expect, test } from 'vitest'
import { answers, startRawServer, truncated } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const { run } = await venueOfThisFile()

/**
 * Records with numbers that would change if they were parsed as floats. As text, `9.50` sorts after `10`. As a number,
 * it sorts before `10`.
 */
const MONEY =
  '[{"id":"a","total":25.00,"n":9007199254740993},{"id":"b","total":9.50,"n":1},{"id":"c","total":10,"n":9007199254740993}]'

/** Runs a query on {@link MONEY} and returns what `bookings statuses` prints. */
async function found(expression: string, ...args: string[]) {
  const server = await startRawServer([answers(200, MONEY, { 'content-type': 'application/json' })])
  return server.run(['bookings', 'statuses', '--query', expression, ...args])
}

describe('--query', () => {
  test.each([
    ['[].total', '[\n25.00,\n9.50,\n10\n]'],
    ['[?total > `9.6`].id', '[\n"a",\n"c"\n]'],
    ['[?total == `25`].id', '[\n"a"\n]'],
    ['sort([].total)', '[\n9.50,\n10,\n25.00\n]'],
    ['sort_by(@, &total)[].id', '[\n"b",\n"c",\n"a"\n]'],
    ['max([].total)', '25.00'],
    ['min([].total)', '9.50'],
    ['max_by(@, &total)', '{"id":"a","total":25.00,"n":9007199254740993}'],
    ['sum([].total)', '44.50'],
    ['[0].n', '9007199254740993'],
    ['contains([].total, `9.5`)', 'true'],
    ['to_string([0].total)', '"25.00"'],
    ['type([0].total)', '"number"'],
    ['length(@)', '3'],
    ['[0].{id: id, cost: total}', '{"id":"a","cost":25.00}'],
    ['[?n == `9007199254740993`].id | [0]', '"a"'],
    ['[?id == `b`].total', '[\n9.50\n]'],
    ["[?id == 'b'].total", '[\n9.50\n]'],
    ['let $most = [0].total in [?total == $most].id', '[\n"a"\n]'],
    ['[0].constructor', 'null'],
    ['[0].total.text', 'null'],
    ['nothing', 'null'],
    ['`[]`', '[]'],
  ])('--query %j prints %j', async (expression, expected) => {
    expect(await found(expression)).toEqual({ code: 0, stdout: `${expected}\n`, stderr: '' })
  })

  test('--query prints JSON unless -o names another format', async () => {
    expect((await found('[].total', '-o', 'ndjson')).stdout).toBe('25.00\n9.50\n10\n')
    expect((await found('[].{k: id, t: total}', '-o', 'csv')).stdout).toBe('k,t\na,25.00\nb,9.50\nc,10\n')
    expect((await found('[].id', '-o', 'csv')).stdout).toBe('value\na\nb\nc\n')
    expect((await found('[].{k: id, t: total}', '-o', 'table')).stdout).toBe('k      t\na  25.00\nb   9.50\nc     10\n')
    expect((await found('[0]', '-o', 'json', '--columns', 'total')).stdout).toBe('{"total":25.00}\n')
  })

  test("with --query, tables and CSV show complete records in the list's default columns", async () => {
    const list = ['bookings', 'list', '--from', '-7d', '--to', '+14d']
    const layout = async (...args: string[]) => (await run(...list, ...args)).stdout.split('\n')[0]
    const header = await layout('-o', 'table')
    expect(header).toMatch(/^TIME +/)
    for (const query of ['[?people > `4`]', 'reverse(@)', 'sort_by(@, &people)[:2]', '@'])
      expect((await layout('--query', query, '-o', 'table'))?.split(/ +/)).toEqual(header?.split(/ +/))
    expect(await layout('--query', '[?people > `4`]', '-o', 'csv')).toBe(await layout('-o', 'csv'))
    expect(await layout('--query', '[?people > `4`]', '-o', 'tsv')).toBe(await layout('-o', 'tsv'))
    expect(await layout('--query', '[].{id: bookingId}', '-o', 'table')).toBe('id')
  })

  test('--query shows a single complete record as a card', async () => {
    const list = ['bookings', 'list', '--from', '-7d', '--to', '+14d']
    const [id = ''] = (await run(...list, '--query', '[0].bookingId', '-r')).stdout.split('\n')
    const one = await run(...list, '--query', '[0]', '-o', 'table')
    const same = await run('bookings', 'get', id, '--query', '@', '-o', 'table')
    for (const { stdout } of [one, same]) expect(stdout).toMatch(/^ {2}Booking ID +\S+$/m)
    expect((await run('bookings', 'get', id, '--query', 'status', '-o', 'table')).stdout).not.toContain('Booking ID')
  })

  test('with --query, the columns of a list of lists are named after the members that the expression selects', async () => {
    expect((await found('[].[id, total]', '-o', 'csv')).stdout).toBe('id,total\na,25.00\nb,9.50\nc,10\n')
    expect((await found('[].[id, total] | [:1]', '-o', 'tsv')).stdout).toBe('id\ttotal\na\t25.00\n')
    expect((await found('[].[id, to_string(n)]', '-o', 'csv', '--no-header')).stdout).toMatch(/^a,9007199254740993\n/)
    expect((await found('[].[id, to_string(n)]', '-o', 'csv')).stdout).toMatch(/^0,1\n/)
    expect((await found('[].[id, total]', '-o', 'table')).stdout).toBe('id  total\na   25.00\nb    9.50\nc      10\n')
    expect((await found('[].[id, total]')).stdout).toBe('[\n["a",25.00],\n["b",9.50],\n["c",10]\n]\n')
  })

  test.each([
    ['[', 'not a JMESPath expression'],
    ['', 'not a JMESPath expression'],
    ['lenght(@)', /JMESPath has no function lenght\(\); did you mean length\(\)\?/],
    ['length(@, @)', /takes 1 argument but received 2/],
  ])('--query %j is refused before any request is sent', async (expression, says) => {
    const server = await startRawServer([answers(200, [])])
    expectRefusal(await server.run(['bookings', 'statuses', '--query', expression]), { code: 2, says })
    expect(server.connections).toBe(0)
  })

  test('--query refuses 50,000 nested brackets and reports that they are nested too deeply', async () => {
    const refused = await run('bookings', 'statuses', '--query', '('.repeat(50_000))
    expectRefusal(refused, { code: 2, says: '--query is not a JMESPath expression: it is nested too deeply' })
  })

  test('if --query cannot be applied to the response, an error explains why and no data is printed', async () =>
    expectRefusal(await found('sum([].id)'), { code: 2, says: /--query cannot be applied to the response: .*number/ }))

  test('--query is not applied to a truncated list', async () => {
    const server = await startRawServer([truncated(MONEY, 60)])
    expect(await server.run(['bookings', 'statuses', '--query', 'length(@)'])).toMatchObject({ code: 13, stdout: '' })
  })

  test('--query is applied to the request that --dry-run prints', async () => {
    const shown = (...args: string[]) =>
      run('giftcards', 'redeem', 'GIFT1-00000100-AAAA', '--amount', '25.50', '--dry-run', ...args)
    expect((await shown('--query', 'body.amount')).stdout).toBe('25.50\n')
    expect((await shown('--query', 'body.cardNumber', '-r')).stdout).toBe('GIFT1-00000100-AAAA\n')
    expect((await shown('--query', '{to: method, card: body.cardNumber}', '-o', 'csv')).stdout).toBe(
      'to,card\nPOST,GIFT1-00000100-AAAA\n',
    )
  })

  test('--query works for single objects, for lists of tables, and for commands that send no request', async () => {
    expect((await run('giftcards', 'get', 'GIFT1-00000100-AAAA', '--query', 'remainingAmount')).stdout).toBe('100\n')
    expect((await run('profiles', 'list', '--query', 'length(@)')).stdout).toBe('1\n')
    const tables = await run('bookings', 'tables', '--date', '2026-12-01', '--query', '[0].sectionName', '-o', 'ndjson')
    expect(tables.stdout).toBe('"Main Dining"\n')
  })
})
