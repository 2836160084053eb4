import { describe, expect, test } from 'vitest'
import { parseNdjson } from '../../support/ndjson.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const { env, run, json } = await venueOfThisFile()

describe('customers commands', () => {
  test('customers get finds a customer by an ID from customers list', async () => {
    const [first] = await json('customers', 'list', '--limit', '1')
    expect(await json('customers', 'get', first.id)).toEqual(first)
    expect(await run('customers', 'get', first.id)).toMatchObject({ stdout: expect.stringContaining(first.fullName) })
  })

  test('customers list --search matches names, phone numbers and companies on all pages before --limit is applied', async () => {
    interface Customer {
      readonly id: string
      readonly firstName: string
      readonly phone: string | null
      readonly company: string | null
    }
    const all: Customer[] = await json('customers', 'list')
    const of = (first: Customer | undefined, text: string) =>
      json('customers', 'list', '--search', text).then((found: Customer[]) => found.some(({ id }) => id === first?.id))
    const last = all.findLast(({ phone }) => phone !== null)
    expect(await of(last, last?.phone ?? '')).toBe(true)
    expect(await of(last, (last?.phone ?? '').replace(/\D+/g, ''))).toBe(true)
    const atWork = all.find(({ company }) => company !== null && company !== '')
    expect(await of(atWork, (atWork?.company ?? '').toUpperCase())).toBe(true)
    const found: Customer[] = await json('customers', 'list', '--search', 'jose', '--page-size', '7')
    expect(found.length).toBeGreaterThan(3)
    expect(found).toEqual(await json('customers', 'list', '--search', 'JOSÉ'))
    const two = await json('customers', 'list', '--search', 'jose', '--page-size', '7', '--limit', '2')
    expect(two).toEqual(found.slice(0, 2))
  })

  test('customers list --search prints a message if nothing matches', async () => {
    for (const format of ['table', 'json', 'csv'])
      expect(await run('customers', 'list', '--search', 'nobody at all', '-o', format)).toMatchObject({
        code: 0,
        stderr: 'No customers with "nobody at all".\n',
      })
  })

  test('customers list refuses an empty --search', async () => {
    expectRefusal(await run('customers', 'list', '--search', ''), { code: 2, says: '--search must not be empty' })
  })

  test('customers get exits with code 3 if the customer does not exist, even if the service ignores the filter', async () => {
    expectRefusal(await run('customers', 'get', 'C-1'), { code: 3, says: 'there is no customer C-1' })
    const server = await startRawServer([answers(200, { items: [{ id: 'C-2' }, { id: 'C-3' }] })])
    const getCustomer = (id: string) => server.run(['customers', 'get', id, '--json'])
    expect(reportedError(await getCustomer('C-1'))).toMatchObject({ code: 'NOT_FOUND', path: '/Customers' })
    expect(await getCustomer('C-3')).toMatchObject({ code: 0, stdout: '{"id":"C-3"}\n' })
  })

  test('customers commands refuse invalid flags and IDs without sending a request', async () => {
    const done = await run('customers', 'list', '--sort', 'up', '--updated-to', 'today')
    expectRefusal(done, { code: 2, says: /--sort must be asc or desc.*\n {2}--updated-to needs/ })
    expectRefusal(await run('customers', 'get', '..'), { code: 2, says: 'is not an ID' })
    const ids = await run('customers', 'unsubscribe', 'good', 'a b', '../x')
    expectRefusal(ids, { code: 2, says: /"a b" is not an ID.*\n {2}"\.\.\/x" is not an ID/ })
  })

  test('customers unsubscribe sets subscribed to false and exits with code 3 if the customer does not exist', async () => {
    const [{ id }] = await json('customers', 'list', '--limit', '1')
    expect(await json('customers', 'unsubscribe', id)).toMatchObject({ id, outcome: 'unsubscribed' })
    expect(await json('customers', 'get', id)).toMatchObject({ subscribed: false })
    expectRefusal(await run('customers', 'unsubscribe', 'C-1'), { code: 3, says: "Customer 'C-1' not found" })
  })

  test('customers unsubscribe prints one line per ID and exits with code 11 if an ID failed', async () => {
    const [first, second] = await json('customers', 'list', '--limit', '2')
    const done = await run('customers', 'unsubscribe', first.id, 'C-1', second.id, '-o', 'ndjson')
    expect(parseNdjson(done.stdout).map(({ outcome }) => outcome)).toEqual(['unsubscribed', 'failed', 'unsubscribed'])
    expect(reportedError(done)).toMatchObject({ code: 'PARTIAL_FAILURE', exitCode: 11, details: { failed: 1, of: 3 } })
  })

  test('customers unsubscribe merges IDs from standard input and the command line without duplicates', async () => {
    const [first, second] = await json('customers', 'list', '--limit', '2')
    const input = `${first.id}\n\n ${second.id} \r\nC-1\n${first.id}`
    const piped = (typed: string, ...args: readonly string[]) =>
      runPartner(['customers', 'unsubscribe', ...args], { env: { ...freshHome(), ...env }, input: typed })
    const done = await piped(input, second.id, '-', '-o', 'ndjson')
    expect(parseNdjson(done.stdout).map(({ id }) => id)).toEqual([second.id, first.id, 'C-1'])
    expect(reportedError(done)).toMatchObject({ code: 'PARTIAL_FAILURE', exitCode: 11, details: { failed: 1, of: 3 } })
    const one = await piped(`${first.id}\n`, '-', '--json')
    expect(JSON.parse(one.stdout)).toMatchObject([{ id: first.id, outcome: 'unsubscribed' }])
    expect(await piped('C-1\n', '-', '--json')).toMatchObject({ code: 11 })
  })

  test('customers unsubscribe sends nothing if standard input is blank or contains an invalid line', async () => {
    const server = await startRawServer([answers(200)])
    const piped = (input: string) => server.run(['customers', 'unsubscribe', '-', '--json'], { input })
    expect(await piped('\n')).toMatchObject({ code: 0, stdout: '[]\n', stderr: 'no IDs on standard input\n' })
    expect(reportedError(await piped('C-1\n"C-2"\n'))).toMatchObject({ code: 'USAGE' })
    expect(server.requests).toHaveLength(0)
  })

  test('customers unsubscribe stops immediately if the service rejects the key', async () => {
    const server = await startRawServer([answers(401, { message: 'Unauthorized' })])
    expectRefusal(await server.run(['customers', 'unsubscribe', 'a', 'b', 'c']), { code: 4, says: 'Unauthorized' })
    expect(server.requests).toHaveLength(1)
  })
})

test("customers unsubscribe prints the service's message", async () => {
  const acts = [answers(200, 'Removed from 2 lists'), answers(200, { message: 'Done.' }), answers(200)]
  const server = await startRawServer(acts)
  const run = (...ids: string[]) => server.run(['customers', 'unsubscribe', ...ids])
  expect((await run('C-1')).stdout).toContain('Removed from 2 lists')
  const { stdout } = await run('C-1', 'C-2', '-o', 'ndjson')
  expect(parseNdjson(stdout).map(({ message }) => message)).toEqual(['Done.', null])
})
