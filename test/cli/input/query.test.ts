import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer, truncated } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const { run } = await venueOfThisFile()

/** Records with numbers that a float would not give back, of which `9.50` is less than `10`. */
const MONEY =
  '[{"id":"a","total":25.00,"n":9007199254740993},{"id":"b","total":9.50,"n":1},{"id":"c","total":10,"n":9007199254740993}]'

/** What a query finds in {@link MONEY}, as `bookings statuses` prints it. */
async function found(expression: string, ...args: string[]) {
  const server = await startRawServer([answers(200, MONEY, { 'content-type': 'application/json' })])
  return runPartner(['bookings', 'statuses', '--query', expression, ...args], {
    env: { ...freshHome(), ...server.env },
  })
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
  ])('%s', async (expression, expected) => {
    expect(await found(expression)).toEqual({ code: 0, stdout: `${expected}\n`, stderr: '' })
  })

  test('implies JSON; -o says otherwise', async () => {
    expect((await found('[].total', '-o', 'ndjson')).stdout).toBe('25.00\n9.50\n10\n')
    expect((await found('[].{k: id, t: total}', '-o', 'csv')).stdout).toBe('k,t\r\na,25.00\r\nb,9.50\r\nc,10\r\n')
    expect((await found('[].id', '-o', 'csv')).stdout).toBe('value\r\na\r\nb\r\nc\r\n')
    expect((await found('[].{k: id, t: total}', '-o', 'table')).stdout).toBe('k      t\na  25.00\nb   9.50\nc     10\n')
    expect((await found('[0]', '-o', 'json', '--columns', 'total')).stdout).toBe('{"total":25.00}\n')
  })

  test.each([
    ['[', 'not a JMESPath expression'],
    ['', 'not a JMESPath expression'],
    ['lenght(@)', /no function lenght\(\); did you mean length\(\)\?/],
    ['length(@, @)', /takes 1 argument but received 2/],
  ])('%j is refused before any request', async (expression, says) => {
    const server = await startRawServer([answers(200, [])])
    const done = await runPartner(['bookings', 'statuses', '--query', expression], {
      env: { ...freshHome(), ...server.env },
    })
    expectRefusal(done, { code: 2, says })
    expect(server.connections).toBe(0)
  })

  test('a query that does not fit the answer says why, and prints nothing', async () => {
    expectRefusal(await found('sum([].id)'), { code: 2, says: /--query does not fit the answer: .*number/ })
  })

  test('a list that breaks off is not queried as if it were whole', async () => {
    const server = await startRawServer([truncated(MONEY, 60)])
    const done = await runPartner(['bookings', 'statuses', '--query', 'length(@)'], {
      env: { ...freshHome(), ...server.env },
    })
    expect(done).toMatchObject({ code: 13, stdout: '' })
  })

  test('works on one object, on commands that send nothing, and on what the service sent for a table', async () => {
    expect((await run('giftcards', 'get', 'GIFT1-00000100-AAAA', '--query', 'remainingAmount')).stdout).toBe('100\n')
    expect((await run('profiles', 'list', '--query', 'length(@)')).stdout).toBe('0\n')
    const tables = await run('bookings', 'tables', '--date', '2026-12-01', '--query', '[0].sectionName', '-o', 'ndjson')
    expect(tables.stdout).toBe('"Main Dining"\n')
  })
})
