import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const { run, json } = await venueOfThisFile()

describe('webhooks', () => {
  const URL = 'https://pos.example/hooks'

  test('create, list, get, update and delete', async () => {
    const created = await json('webhooks', 'create', 'BOOKING_UPDATED', URL)
    expect(created).toMatchObject({ event: 'BOOKING_UPDATED', webhookUrl: URL })
    expect(await json('webhooks', 'list')).toMatchObject([{ event: 'BOOKING_UPDATED', authenticationEnabled: false }])
    const key = join(freshDirectory(), 'key')
    writeFileSync(key, 'k-123456789\n', { mode: 0o600 })
    const updated = await run('webhooks', 'update', 'BOOKING_UPDATED', `${URL}/2`, '--security-key', `file:${key}`)
    expect(updated).toMatchObject({ code: 0 })
    expect(await json('webhooks', 'get', 'BOOKING_UPDATED')).toMatchObject({
      webhookUrl: `${URL}/2`,
      authenticationEnabled: true,
    })
    const refused = await run('webhooks', 'delete', 'BOOKING_UPDATED')
    expectRefusal(refused, { code: 2, says: 'needs a confirmation', next: '--yes' })
    expect(await json('webhooks', 'delete', 'BOOKING_UPDATED', '--yes')).toEqual({
      event: 'BOOKING_UPDATED',
      deleted: true,
    })
    expectRefusal(await run('webhooks', 'get', 'BOOKING_UPDATED'), { code: 3, says: 'was not found' })
  })

  test('an unknown event suggests the nearest, whatever its case', async () => {
    const done = await run('webhooks', 'create', 'booking_created', URL)
    expectRefusal(done, { code: 2, says: 'did you mean BOOKING_CREATED?' })
    expectRefusal(await run('webhooks', 'delete', 'X', '--yes'), { code: 2, says: 'unknown event "X"' })
  })

  test('a plain secret is refused wherever it is given, and never shown', async () => {
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

  test('credentials come by variable, file and standard input, and stay out of every output', async () => {
    const secret = 'hunter2-hunter2'
    const server = await startRawServer([answers(200, { event: 'BOOKING_CREATED', webhookUrl: URL })])
    const options = { env: { ...freshHome(), ...server.env, HOOK: secret }, input: `${secret}-2\n` }
    const args = ['webhooks', 'create', 'BOOKING_CREATED', URL, '--security-key', 'env:HOOK', '--security-token', '-']
    const done = await runPartner([...args, '-v'], options)
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout + done.stderr).not.toContain('hunter2')
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      event: 'BOOKING_CREATED',
      webhookUrl: URL,
      securityKey: secret,
      securityToken: `${secret}-2`,
    })
  })

  test('a variable that is not set is exit 4', async () => {
    const done = await run('webhooks', 'create', 'BOOKING_CREATED', URL, '--security-key', 'env:NOT_THERE')
    expectRefusal(done, { code: 4, says: 'NOT_THERE' })
  })

  test('a subscription that the service answers with an error message is exit 10', async () => {
    const server = await startRawServer([
      answers(200, { event: 'BOOKING_CREATED', errorMessage: 'URL did not answer' }),
    ])
    const done = await runPartner(['webhooks', 'create', 'BOOKING_CREATED', URL], {
      env: { ...freshHome(), ...server.env },
    })
    expectRefusal(done, { code: 10, says: 'URL did not answer' })
  })

  test('the documented refusal of a gift card subscription', async () => {
    const done = await run('webhooks', 'create', 'GIFTCARDS_CREATED', 'https://nowhere.invalid/')
    expectRefusal(done, { code: 5, says: 'Giftcard Webhook Request Failed Verification.' })
  })
})
