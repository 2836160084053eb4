import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../support/partner.ts'
import { answers, resets, sends, startRawServer, truncated } from '../support/raw-server.ts'
import { expectRefusal, reportedError } from '../support/refusal.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { words } from '../support/words.ts'

const sandbox = await startSharedSandbox()
const { signingSecret, signatureHeader } = sandbox
const env = { ...sandbox.env, PARTNER_SIGNING_SECRET: signingSecret, PARTNER_SIGNATURE_HEADER: signatureHeader }
const CARD = 'GIFT1-00000100-AAAA'
const run = (...args: string[]) => runPartner(['api', ...args], { env: { ...freshHome(), ...env } })

/** Runs `partner api` with a server that sends exactly the given responses. */
async function runAgainst(acts: Parameters<typeof startRawServer>[0], ...args: string[]) {
  const server = await startRawServer(acts)
  return { done: await runPartner(['api', ...args], { env: { ...freshHome(), ...env, ...server.env } }), server }
}

describe('partner api output', () => {
  test.each([
    ['application/json', '{ "a" : 25.00 }\n'],
    ['application/json; charset=utf-8', '[]'],
    ['text/csv', 'a,b\r\n1,2\r\n'],
    ['text/plain', 'no line end'],
    ['application/octet-stream', ''],
  ])('partner api prints a response body of type %s unchanged: %j', async (type, body) => {
    const { done } = await runAgainst([answers(200, body, { 'content-type': type })], 'GET', '/x')
    expect(done).toEqual({ code: 0, stdout: body, stderr: '' })
  })

  test('partner api --include prints the status and headers first, even if the service rejects the request', async () => {
    const fine = await runAgainst([answers(202, 'ok', { 'x-trace': 'abc' })], 'POST', '/x', '--include')
    expect(fine.done.stdout).toMatch(/^HTTP\/1\.1 202\n(?:[\w-]+: .*\n)*x-trace: abc\n\nok$/)
    const refused = await run('GET', '/Bookings/BK-1', '--include')
    expect(refused).toMatchObject({ code: 3 })
    expect(refused.stdout).toMatch(/^HTTP\/1\.1 404\n[\s\S]*\n\n\{"message":"Booking 'BK-1' not found\."\}$/)
  })

  test('partner api accepts --query, -o and --columns for a JSON response', async () => {
    const statuses = (...args: string[]) => run('GET', '/Resources/booking-statuses', ...args)
    expect((await statuses('--query', '[1].code')).stdout).toBe('"CONFIRMED"\n')
    expect((await statuses('-o', 'csv', '--columns', 'code')).stdout).toMatch(/^code\nUnconfirmed\nCONFIRMED\n/)
    expect((await statuses('-o', 'ndjson')).stdout.split('\n')[1]).toContain('"code":"CONFIRMED"')
  })

  test('partner api fails if a JSON response is incomplete', async () => {
    const body = '[{"code":"A"},{"code":"B"}]'
    const json = { 'content-type': 'application/json' }
    const cut = await runAgainst([answers(200, body.slice(0, 20), json)], 'GET', '/Resources/booking-statuses')
    expect(cut.done).toMatchObject({ code: 13, stdout: body.slice(0, 20) })
    const broken = await runAgainst([truncated(body, 20)], 'GET', '/unknown', '--retries', '0')
    expect(broken.done).toMatchObject({ code: 8, stdout: '' })
    const half = await runAgainst([answers(200, '{"a":', json)], 'GET', '/unknown')
    expect(half.done).toMatchObject({ code: 8, stdout: '' })
  })
})

describe('partner api requests', () => {
  test('partner api sends the path, query, parameters and headers as typed', async () => {
    const headers = ['Accept: text/csv', 'X-A:1', 'x-a: 2'].flatMap((header) => ['--header', header])
    const { server } = await runAgainst(
      [answers(200, '')],
      'get',
      'a/b?x=1+2&y=%20&é=ü',
      '--param',
      'z=a b',
      ...headers,
    )
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      target: '/a/b?x=1+2&y=%20&%C3%A9=%C3%BC&z=a%20b',
      headers: { accept: 'text/csv', 'x-a': '1, 2' },
    })
  })

  test('partner api sends the body from --data unchanged, unless --set adds members to it', async () => {
    const file = join(freshDirectory(), 'body.json')
    writeFileSync(file, '{ "a" : 1.50 }\n')
    expect((await runAgainst([answers(200, '')], 'POST', '/x', '--data', `@${file}`)).server.requests[0]).toMatchObject(
      {
        body: '{ "a" : 1.50 }\n',
        headers: { 'content-type': 'application/json' },
      },
    )
    const set = await runAgainst([answers(200, '')], ...words(`PUT /x --data @${file} --set b.c.0=true --set d=x`))
    expect(set.server.requests[0]?.body).toBe('{"a":1.50,"b":{"c":[true]},"d":"x"}')
    const plain = [...words('POST /x --data hello --header'), 'Content-Type: text/plain']
    const text = await runAgainst([answers(200, '')], ...plain)
    expect(text.server.requests[0]).toMatchObject({ body: 'hello', headers: { 'content-type': 'text/plain' } })
  })

  test('partner api sends an invalid JSON body only with --no-validate', async () => {
    const says = '--data is not JSON'
    expectRefusal(await run('POST', '/x', '--data', 'hello'), { code: 2, says, next: '--no-validate' })
    const { server } = await runAgainst([answers(200, '')], 'POST', '/x', '--data', 'hello', '--no-validate')
    expect(server.requests[0]?.body).toBe('hello')
  })

  test('partner api --sign sends a valid signature and no API key', async () => {
    const data = JSON.stringify({ cardNumber: CARD, locationId: sandbox.locationId })
    const path = `/partners/${sandbox.partnerName}/giftcards/balance`
    expect(JSON.parse((await run('POST', path, '--data', data, '--sign')).stdout)).toMatchObject({ isSuccess: true })
    const { server } = await runAgainst([answers(200, {})], 'POST', path, '--data', data, '--sign')
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key')
  })
})

describe('invalid partner api arguments', () => {
  test.each([
    ['GET', '../x', /must not contain \. or \.\. segments/],
    ['GET', '/a/../b', /must not contain \. or \.\. segments/],
    ['GET', '/a/%2E%2e/b', /must not contain \. or \.\. segments/],
    ['GET', 'https://evil.example/', /not a full URL/],
    ['GET', '//evil.example/', /not a full URL/],
    ['GET', '\\\\evil.example', /not a full URL/],
    ['GET', '/a b', /spaces/],
    ['GET', '/a#b', /#/],
    ['GET', '', /must not be empty/],
    ['CONNECT', '/x', /METHOD/],
    ['G T', '/x', /METHOD/],
  ])('partner api refuses %s %j', async (method, path, says) => {
    expectRefusal(await run(method, path), { code: 2, says, secrets: [sandbox.apiKey] })
  })

  test('partner api refuses --header for the API key or a connection header without printing the value', async () => {
    const headers = ['X-API-KEY: hunter2', 'Host: x', 'hunter2', 'A: b\nX: y'].flatMap((header) => ['--header', header])
    expectRefusal(await run('GET', '/x', ...headers), { code: 2, says: /^error: 3 problems:$/m, secrets: ['hunter2'] })
  })

  test('partner api refuses contradictory flags, such as a body with GET, or --limit without --paginate', async () => {
    expectRefusal(await run('GET', '/x', '--data', '{}'), { code: 2, says: 'GET requests do not have one' })
    expectRefusal(await run('GET', '/x', '--limit', '1'), { code: 2, says: 'work only with --paginate' })
    const mixed = await run('POST', '/x?Limit=1', '--paginate', '--include')
    expectRefusal(mixed, { code: 2, says: /--paginate works only with GET\n.*\n.*must not set Limit/ })
    const says = 'paging sets them'
    expectRefusal(await run('GET', '/x', '--paginate', '--param', 'StartIndex=1'), { code: 2, says })
  })
})

describe('partner api exit codes and retries', () => {
  test("partner api exits with the code that matches the failure and prints the endpoint's hint", async () => {
    const says = 'was not found'
    expectRefusal(await run('GET', '/Webhooks/BOOKING_CREATED'), { code: 3, says, next: 'webhooks list' })
    expectRefusal(await run('GET', '/nothing/here'), { code: 3, says: '/nothing/here' })
    const body = JSON.stringify({ cardNumber: CARD, amount: 5000 })
    const failed = await run('POST', '/GiftCards/redeem', '--data', body, '--json')
    expect(reportedError(failed)).toMatchObject({ code: 'BUSINESS_FAILURE', outcome: 'not-applied' })
    expect(failed.stdout).toBe('')
  })

  test('partner api exits with code 0 after it cancels a gift card that was already cancelled', async () => {
    const cancel = () => run('PATCH', '/GiftCards/cancel', '--set', 'cardNumber=GIFT2-00005025-AAAA')
    expect(await cancel()).toMatchObject({ code: 0 })
    expect(await cancel()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('partner api retries a failed read, but reports the outcome of a failed write as unknown (exit code 9)', async () => {
    const read = await runAgainst([answers(503, ''), resets, answers(200, 'ok')], 'GET', '/x')
    expect(read.done).toMatchObject({ code: 0, stdout: 'ok' })
    const write = await runAgainst([resets, answers(200, 'ok')], 'POST', '/x')
    expect(write.done).toMatchObject({ code: 9, stdout: '' })
    expect(write.server.requests).toHaveLength(1)
    expect((await runAgainst([answers(500, 'oops'), answers(200, 'ok')], 'DELETE', '/x')).done.code).toBe(9)
  })

  test('partner api does not retry a failed write even if the endpoint is idempotent', async () => {
    const { done, server } = await runAgainst([answers(502, '')], 'PATCH', '/Bookings/BK-1/updatepax', '--set', 'pax=2')
    expect(done.code).toBe(9)
    expect(server.requests).toHaveLength(1)
  })

  test('partner api does not follow a redirect', async () => {
    const { done } = await runAgainst([answers(302, '', { location: 'https://evil.example/' })], 'GET', '/x')
    expectRefusal(done, { code: 5, says: 'redirects to https://evil.example/' })
  })

  test('partner api reports a non-HTTP response as a network failure (exit code 8)', async () =>
    expect((await runAgainst([sends('SSH-2.0-OpenSSH\r\n')], 'GET', '/x', '--retries', '0')).done.code).toBe(8))
})

describe('partner api --paginate', () => {
  test('partner api --paginate prints the records of all pages exactly as the list command does', async () => {
    const pages = await run('GET', '/Customers', '--paginate', '--page-size', '7')
    const list = await runPartner(['customers', 'list', '--json'], { env: { ...freshHome(), ...env } })
    expect(pages).toEqual(list)
  })

  test('partner api --paginate accepts -o, --columns, --query and --limit', async () => {
    const customers = (...args: string[]) => run('GET', '/Customers', '--param', 'Sort=desc', '--paginate', ...args)
    expect((await customers('--limit', '2', '--columns', 'id', '-o', 'csv')).stdout).toMatch(/^id\nC-\d+\nC-\d+\n$/)
    expect((await customers('--limit', '3', '--query', 'length(@)')).stdout).toBe('3\n')
    expect((await customers('--limit', '1', '-o', 'csv')).stdout).toMatch(/^id,firstName,lastName,/)
  })

  test('partner api --paginate sends only one request if the endpoint has no pages', async () => {
    const { done, server } = await runAgainst(
      [answers(200, { bookings: [{ a: 1 }] })],
      'GET',
      '/Bookings',
      '--paginate',
    )
    expect(done.stdout).toBe('[\n{"a":1}\n]\n')
    expect(server.requests.map(({ target }) => target)).toEqual(['/Bookings'])
  })

  test('partner api --paginate stops if the service returns the same page again', async () => {
    const { done, server } = await runAgainst(
      [answers(200, { items: [{ a: 1 }, { a: 2 }] })],
      'GET',
      '/New',
      '--paginate',
    )
    expect(done).toMatchObject({ code: 13, stdout: '[\n{"a":1},\n{"a":2}\n' })
    expect(server.requests).toHaveLength(2)
  })
})
