import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { freshDirectory, runningSandbox } from '../fresh-sandbox.ts'

const READ = '/GiftCards/GIFT1-00000100-AAAA'

function readHar(directory: string) {
  const [name = '', ...others] = readdirSync(directory)
  expect(others).toEqual([])
  const text = readFileSync(join(directory, name), 'utf8')
  return { text, entries: JSON.parse(text).log.entries }
}

test("a sandbox's HAR file is valid at any time and contains every request but no secrets", async () => {
  const har = join(freshDirectory(), 'not', 'there', 'yet')
  const { sandbox, send } = await runningSandbox({ har })
  expect(readHar(har).entries).toEqual([])
  const card = await send('GET', READ)
  const subscription = { event: 'BOOKING_CREATED', webhookUrl: 'https://a.example', securityKey: 'hush-hush' }
  await send('POST', '/Webhooks', subscription)
  const listed = await send('GET', '/Bookings?StartDate=2020-01-01T00:00:00.000Z&EndDate=2040-01-01T00:00:00.000Z')
  const { text, entries } = readHar(har)
  expect(entries).toMatchObject([
    {
      request: { method: 'GET', url: sandbox.baseUrl + READ },
      response: { status: 200, content: { text: card.text } },
      _endpoint: 'giftcards.get',
      _faults: [],
    },
    { request: { postData: { mimeType: 'application/json' } }, _endpoint: 'webhooks.create' },
    { request: { queryString: [{ name: 'StartDate' }, { name: 'EndDate' }] }, _endpoint: 'bookings.list' },
  ])
  for (const secret of ['hush-hush', sandbox.apiKey]) expect(text).not.toContain(secret)
  // Lists are streamed, and the file contains only the beginning of a list that is longer than 1 MiB.
  const { content } = entries[2].response
  expect(listed.text.startsWith(content.text.slice(0, 1000))).toBe(true)
  expect(content.comment === undefined).toBe(content.text === listed.text)
})

test('a HAR entry lists the faults that affected the request and the number of bytes that were sent', async () => {
  const har = freshDirectory()
  const { send, control } = await runningSandbox({ har })
  const fault = { endpoint: 'GET /GiftCards/{cardNumber}', effect: { kind: 'malformed' }, next: 1 } as const
  const { id } = await control.addFault(fault)
  await send('GET', READ).catch(() => {})
  const list = '/Bookings?StartDate=2020-01-01T00:00:00.000Z&EndDate=2040-01-01T00:00:00.000Z'
  const cut = await control.addFault({ endpoint: 'GET /Bookings', effect: { kind: 'truncate', bytes: 100 }, next: 1 })
  await expect(send('GET', list)).rejects.toThrow()
  expect(readHar(har).entries).toMatchObject([
    { _faults: [id] },
    { _faults: [cut.id], response: { content: { comment: 'the first 100 bytes' } } },
  ])
})

test("PARTNER_SANDBOX_HAR sets the HAR directory for a profile's built-in sandbox", async () => {
  const PARTNER_SANDBOX_HAR = freshDirectory()
  const env = { ...freshHome(), PARTNER_SANDBOX_HAR }
  const run = await runPartner(['giftcards', 'get', 'GIFT1-00000100-AAAA', '-p', 'sandbox'], { env })
  expect(run).toMatchObject({ code: 0 })
  expect(readHar(PARTNER_SANDBOX_HAR).entries).toMatchObject([{ _endpoint: 'giftcards.get' }])
})

test('an unusable PARTNER_SANDBOX_HAR directory is a usage error with a hint', async () => {
  const file = join(freshDirectory(), 'file')
  writeFileSync(file, '')
  const env = { ...freshHome(), PARTNER_SANDBOX_HAR: file }
  const run = await runPartner(['giftcards', 'list', '-p', 'sandbox'], { env })
  expectRefusal(run, { code: 2, says: 'PARTNER_SANDBOX_HAR', next: /directory that you can write to/ })
})
