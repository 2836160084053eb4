import { describe, expect, test } from 'vitest'
import { type Act, answers, runAgainst, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

const NOTHING: Readonly<Record<string, Act>> = {
  'an empty 200': answers(200, '', { 'content-type': 'application/json' }),
  'a 200 of whitespace': answers(200, ' \n'),
  'a 204': answers(204),
  'a 200 that is null': answers(200, 'null', { 'content-type': 'application/json' }),
}

const INBOUND = {
  PARTNER_SIGNING_SECRET: 'signing-secret-1234',
  PARTNER_NAME: 'pos',
  PARTNER_SIGNATURE_HEADER: 'X-Sig',
  PARTNER_LOCATION_ID: 'loc-1',
}

describe.each([
  'bookings get BK-1',
  'giftcards get GIFT1-00000100-AAAA',
  'webhooks get BOOKING_CREATED',
  'inbound balance GIFT1-00000100-AAAA',
])('%s with a response that contains no record', (line) => {
  test.each(Object.entries(NOTHING))(
    `${line} exits with code 8 and prints nothing if the response is %s`,
    async (_name, act) => {
      for (const format of ['table', 'json', 'ndjson', 'csv']) {
        const run = await runAgainst([act], [...words(line), '--retries', '0', '-o', format], { env: INBOUND })
        expect(run).toMatchObject({ code: 8, stdout: '' })
        expect(run.stderr).toMatch(/answered with (an empty body|null)|(answer|response) (is empty|cannot be read)/)
        if (format === 'table') expectRefusal(run, { code: 8, says: /answer|response/ })
      }
    },
  )
})

test('customers get treats an empty list as a missing customer, but rejects an empty response', async () => {
  const ask = async (act: Act) => (await startRawServer([act])).run(words('customers get C-1 --retries 0'))
  for (const body of ['null', '[]', '{"items":null}'])
    expectRefusal(await ask(answers(200, body)), { code: 3, says: 'there is no customer C-1' })
  for (const act of [answers(200, ''), answers(204)])
    expectRefusal(await ask(act), { code: 8, says: 'the response is empty' })
})

test('customers get reports an incomplete list if the service sent fewer records than it reported', async () => {
  for (const said of ['length', 'count', 'total']) {
    const server = await startRawServer([answers(200, { items: [{ id: 'C-2' }], [said]: 250 })])
    expectRefusal(await server.run('customers get C-1 --retries 0'), {
      code: 13,
      says: /reported 250 records, but sent 1/,
    })
  }
})
