import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { freshSandbox, type Send } from '../fresh-sandbox.ts'

const CARD = 'GIFT1-00000100-AAAA'
const stillGood = async (send: Send) => expect((await send('GET', `/GiftCards/${CARD}`)).status).toBe(200)

test.each([
  ['not JSON', '{"cardNumber":', 400],
  ['an array', '[]', 400],
  ['a string', '"x"', 400],
  ['nothing', '', 400],
  ['very deep', '['.repeat(200_000), 400],
  ['deep in a string only', `{"cardNumber":"${'['.repeat(1000)}","amount":1}`, 404],
  ['with __proto__', `{"__proto__":{"cardNumber":"${CARD}","amount":5}}`, 400],
  ['with constructor', `{"constructor":{"prototype":{"amount":5}},"cardNumber":"${CARD}"}`, 400],
  ['control characters', '{"cardNumber":"\\u0000\\u001b[2J\\u202e","amount":1}', 404],
  ['wrong types', '{"cardNumber":{"a":1},"amount":[1]}', 400],
  ['a huge number', `{"cardNumber":"${CARD}","amount":1e400}`, 400],
  ['too large', `{"notes":"${'x'.repeat(2_000_000)}"}`, 413],
])('a body that is %s has a clear status, and the next good request is answered', async (_what, body, status) => {
  const { send } = await freshSandbox()
  const reply = await send('POST', '/GiftCards/redeem', body)
  expect(reply.status).toBe(status)
  expect(typeof (reply.body.message ?? reply.body.title)).toBe('string')
  await stillGood(send)
})

test('a body of another content type is 415', async () => {
  const { send } = await freshSandbox()
  const reply = await send('POST', '/GiftCards/redeem', 'cardNumber=1', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(reply.status).toBe(415)
  await stillGood(send)
})

test('bytes that are no UTF-8 are 400', async () => {
  const { sandbox, send } = await freshSandbox()
  const response = await fetch(`${sandbox.baseUrl}/GiftCards/redeem`, {
    method: 'POST',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  })
  expect(response.status).toBe(400)
  await stillGood(send)
})

test('nothing of a request reaches other objects', async () => {
  const { send } = await freshSandbox()
  await send('POST', '/Reservations', '{"__proto__":{"polluted":true},"customer":{"__proto__":{"polluted":true}}}')
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('what is no HTTP is answered with 400 and hurts nobody else', async () => {
  const { sandbox, send } = await freshSandbox()
  const { port } = new URL(sandbox.baseUrl)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('\u0016\u0003\u0001 hello\r\n\r\n')
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  await stillGood(send)
})
