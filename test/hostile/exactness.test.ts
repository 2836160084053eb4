import { describe, expect, test } from 'vitest'
import { answers, startRawServer } from '../support/raw-server.ts'
import { words } from '../support/words.ts'

/** Numbers that change when converted to a binary float. */
const NUMBERS = words(
  '25.00 0.10 9007199254740993 -9007199254740993 123456789012345678901234567890 1e2 1E+2 -0 -0.0 0.1000000000000000055511151231257827 1.0 100000000000000000000000.5 1e400 5e-324',
)
const JSON_TYPE = { 'content-type': 'application/json' }

const record = (number: string) =>
  `{"bookingId":"BK-1","amount":${number},"paymentSummary":{"amount":${number},"list":[${number}]}}`

describe('numbers that change when converted to a binary float', () => {
  test('numbers in a list keep every digit in JSON, NDJSON and CSV, with and without --columns', async () => {
    const records = NUMBERS.map(record)
    const server = await startRawServer([answers(200, `{"count":1,"bookings":[${records.join(',')}]}`, JSON_TYPE)])
    const list = async (...more: string[]) =>
      (await server.run(['bookings', 'list', '--from', 'today', ...more])).stdout
    expect(await list('--json')).toBe(`[\n${records.join(',\n')}\n]\n`)
    expect(await list('-o', 'ndjson')).toBe(`${records.join('\n')}\n`)
    expect(await list('-o', 'ndjson', '--columns', 'amount,paymentSummary.amount')).toBe(
      NUMBERS.map((number) => `{"amount":${number},"paymentSummary.amount":${number}}\n`).join(''),
    )
    expect(await list('-o', 'csv', '--columns', 'amount,paymentSummary.amount')).toBe(
      `amount,paymentSummary.amount\n${NUMBERS.map((number) => `${number},${number}\n`).join('')}`,
    )
  })

  test.each(NUMBERS)('the number %s in a single object keeps every digit', async (number) => {
    const server = await startRawServer([answers(200, record(number), JSON_TYPE)])
    const get = async (...more: string[]) => (await server.run(['bookings', 'get', 'BK-1', ...more])).stdout
    expect(await get('--json')).toBe(`${record(number)}\n`)
    expect(await get('-o', 'csv', '--columns', 'amount,paymentSummary.list')).toBe(
      `amount,paymentSummary.list\n${number},[${number}]\n`,
    )
    expect(await get('--json', '--columns', 'amount')).toBe(`{"amount":${number}}\n`)
  })

  test('a number that --query selects without calculation keeps every digit', async () => {
    const server = await startRawServer([answers(200, record('9007199254740993'), JSON_TYPE)])
    const run = await server.run(['bookings', 'get', 'BK-1', '--query', 'paymentSummary.amount'])
    expect(run).toMatchObject({ code: 0, stdout: '9007199254740993\n' })
  })

  test('numbers on the command line reach the service with every digit', async () => {
    const server = await startRawServer([answers(200, {})])
    for (const number of NUMBERS) {
      await server.run(['api', 'POST', '/Bookings', '--data', `{"a":${number}}`, '--set', `b=${number}`])
      expect(server.requests.at(-1)?.body).toBe(`{"a":${number},"b":${number}}`)
    }
  })

  test('numbers in the response to a rejected request keep every digit', async () => {
    const server = await startRawServer([answers(400, `{"message":"No.","limit":25.00}`, JSON_TYPE)])
    expect((await server.run(['bookings', 'get', 'BK-1', '--json'])).stderr).toContain('"limit":25.00')
  })
})

test('giftcards redeem rounds floating-point noise in a balance, but refuses real fractions of a cent', async () => {
  const card = (balance: string) =>
    answers(200, `{"cardNumber":"GIFT1-00000100-AAAA","remainingAmount":${balance},"status":"Active"}`, JSON_TYPE)
  const done = answers(200, { isSuccess: true, amountRedeemed: 5 })
  for (const [balance, code] of [
    ['75.05000000000001', 0],
    ['75.04999999999999', 0],
    ['99.99999999999999', 0],
    ['75.055', 8],
    ['1e2', 0],
    ['7.5055e1', 8],
    ['"75"', 8],
    ['null', 8],
  ] as const) {
    const server = await startRawServer(({ method }) => (method === 'GET' ? card(balance) : done))
    const run = await server.run(['giftcards', 'redeem', 'GIFT1-00000100-AAAA', '--amount', '5', '--json'])
    expect([balance, run.code]).toEqual([balance, code])
    expect(server.requests.some(({ method }) => method === 'POST')).toBe(code === 0)
  }
})
