import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const { run, json } = await venueOfThisFile()

describe('webhook subscriptions', () => {
  const URL = 'https://pos.example/hooks'

  test('webhooks commands can create, list, show, update and delete a subscription', async () => {
    const created = await json('webhooks', 'create', 'BOOKING_UPDATED', URL)
    expect(created).toMatchObject({ event: 'BOOKING_UPDATED', webhookUrl: URL })
    expect(await json('webhooks', 'list')).toMatchObject([{ event: 'BOOKING_UPDATED', authenticationEnabled: false }])
    const key = join(freshDirectory(), 'key')
    writeFileSync(key, 'k-123456789\n', { mode: 0o600 })
    const updated = await run('webhooks', 'update', 'BOOKING_UPDATED', `${URL}/2`, '--security-key', `file:${key}`)
    expect(updated).toMatchObject({ code: 0 })
    const changed = { webhookUrl: `${URL}/2`, authenticationEnabled: true }
    expect(await json('webhooks', 'get', 'BOOKING_UPDATED')).toMatchObject(changed)
    const refused = await run('webhooks', 'delete', 'BOOKING_UPDATED')
    expectRefusal(refused, { code: 2, says: 'needs confirmation', next: '--yes' })
    const gone = { event: 'BOOKING_UPDATED', locationId: created.locationId }
    expect(await json('webhooks', 'delete', 'BOOKING_UPDATED', '--yes')).toEqual(gone)
    expectRefusal(await run('webhooks', 'get', 'BOOKING_UPDATED'), { code: 3, says: 'was not found' })
  })

  test('webhooks commands accept event names in upper or lower case, on the command line and in a file', async () => {
    expect(await json('webhooks', 'create', 'booking_Created', URL)).toMatchObject({ event: 'BOOKING_CREATED' })
    expect(await json('webhooks', 'update', 'booking_created', `${URL}/3`)).toMatchObject({ webhookUrl: `${URL}/3` })
    expect(await json('webhooks', 'get', 'Booking_created')).toMatchObject({ event: 'BOOKING_CREATED' })
    const file = join(freshDirectory(), 'hooks.yaml')
    writeFileSync(file, `- event: booking_created\n  webhookUrl: ${URL}/3\n`)
    expect(await json('webhooks', 'apply', file)).toMatchObject([{ event: 'BOOKING_CREATED', outcome: 'unchanged' }])
    const twice = `${file}-twice.yaml`
    const entry = (event: string) => `- event: ${event}\n  webhookUrl: ${URL}\n`
    writeFileSync(twice, entry('booking_created') + entry('BOOKING_CREATED'))
    expectRefusal(await run('webhooks', 'apply', twice), { code: 2, says: 'BOOKING_CREATED is repeated' })
    const deleted = await run('webhooks', 'delete', 'BOOKING_CREATED'.toLowerCase(), '--yes')
    expect(deleted.stdout).toMatch(/^Deleted the subscription for BOOKING_CREATED\n\n {2}Location ID {2}\w+/)
  })

  test('webhooks update without a URL reads the current URL and sends it with the new credentials', async () => {
    const present = { event: 'BOOKING_CREATED', webhookUrl: `${URL}?venue=1`, locationId: 'loc-1' }
    const server = await startRawServer([answers(200, present)])
    const env = { ...freshHome(), ...server.env, HOOK: 'k-123456789' }
    const update = (...args: string[]) => runPartner(['webhooks', 'update', 'BOOKING_CREATED', ...args], { env })
    expect(await update('--security-key', 'env:HOOK')).toMatchObject({ code: 0 })
    const both = ['GET /Webhooks/BOOKING_CREATED', 'PUT /Webhooks/BOOKING_CREATED']
    expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(both)
    const body = { webhookUrl: `${URL}?venue=1`, securityKey: 'k-123456789' }
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual(body)
    const planned = await update('--security-token', 'env:HOOK', '--dry-run')
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining(`${URL}?venue=1`) })
    expect(server.requests.slice(2).map(({ method }) => method)).toEqual(['GET'])
    expect(await update('--set', `webhookUrl=${URL}/3`)).toMatchObject({ code: 0 })
    expect(server.requests.slice(3).map(({ method, body }) => method + body)).toEqual([`PUT{"webhookUrl":"${URL}/3"}`])
    expectRefusal(await update(), { code: 2, says: /URL or .*--security-key/, next: /nothing was sent/ })
    expect(server.requests).toHaveLength(4)
  })

  test('webhooks update without a URL sends nothing if the current URL is unknown', async () => {
    const update = ['webhooks', 'update', 'BOOKING_CREATED', '--security-key', 'env:HOOK']
    const against = async (act: ReturnType<typeof answers>) => {
      const server = await startRawServer([act])
      const run = await server.run(update, { env: { HOOK: 'k-123456789' } })
      return { ...run, methods: server.requests.map(({ method }) => method) }
    }
    const lacking = await against(answers(200, { event: 'BOOKING_CREATED', webhookUrl: null }))
    expectRefusal(lacking, {
      code: 8,
      says: "did not return the subscription's current URL",
      next: /partner webhooks update --help/,
    })
    const missing = await against(answers(404, { message: "Webhook Subscription for event 'X' was not found" }))
    expectRefusal(missing, { code: 3, says: 'was not found', next: /webhooks list/ })
    expect([lacking.methods, missing.methods]).toEqual([['GET'], ['GET']])
  })

  test('webhooks commands suggest the most similar event for an unknown name, regardless of case', async () => {
    const done = await run('webhooks', 'create', 'booking_create', URL)
    expectRefusal(done, { code: 2, says: 'did you mean BOOKING_CREATED?' })
    expectRefusal(await run('webhooks', 'delete', 'X', '--yes'), { code: 2, says: 'unknown event "X"' })
  })

  test('webhooks create refuses a plain-text secret in any flag or URL without printing the secret', async () => {
    const secret = 'hunter2-hunter2'
    const secrets = [secret]
    const create = (...args: string[]) => run('webhooks', 'create', 'BOOKING_CREATED', ...args)
    expectRefusal(await create(URL, '--security-key', secret), { code: 2, says: 'not the secret itself', secrets })
    expectRefusal(await create(URL, '--set', `securityKey=${secret}`), { code: 2, says: 'credential', secrets })
    const data = JSON.stringify({ securityToken: secret })
    expectRefusal(await create(URL, '--data', data), { code: 2, says: 'credential', secrets })
    const inUrl = `https://user:${secret}@pos.example/hooks`
    expectRefusal(await create(inUrl), { code: 2, says: 'user name or password', secrets })
  })

  test('webhooks create reads credentials from an environment variable or standard input without printing them', async () => {
    const secret = 'hunter2-hunter2'
    const server = await startRawServer([answers(200, { event: 'BOOKING_CREATED', webhookUrl: URL })])
    const options = { env: { ...freshHome(), ...server.env, HOOK: secret }, input: `${secret}-2\n` }
    const args = ['webhooks', 'create', 'BOOKING_CREATED', URL, '--security-key', 'env:HOOK', '--security-token', '-']
    const done = await runPartner([...args, '-v'], options)
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout + done.stderr).not.toContain('hunter2')
    const body = { event: 'BOOKING_CREATED', webhookUrl: URL, securityKey: secret, securityToken: `${secret}-2` }
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(body)
  })

  test("webhooks create exits with code 4 if a credential's environment variable is not set", async () => {
    const done = await run('webhooks', 'create', 'BOOKING_CREATED', URL, '--security-key', 'env:NOT_THERE')
    expectRefusal(done, { code: 4, says: 'NOT_THERE' })
  })

  test('webhooks create exits with code 10 if the response contains an error message', async () => {
    const answer = { event: 'BOOKING_CREATED', errorMessage: 'URL did not answer' }
    const server = await startRawServer([answers(200, answer)])
    const done = await server.run(['webhooks', 'create', 'BOOKING_CREATED', URL])
    expectRefusal(done, { code: 10, says: 'URL did not answer' })
  })

  test('webhooks create reports that the service could not verify the URL of a gift card subscription', async () => {
    const done = await run('webhooks', 'create', 'GIFTCARDS_CREATED', 'https://nowhere.invalid/')
    expectRefusal(done, { code: 5, says: 'Giftcard Webhook Request Failed Verification.' })
  })
})
