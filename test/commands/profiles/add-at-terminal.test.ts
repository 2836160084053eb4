import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { type Act, answers, startRawServer } from '../../support/raw-server.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'

const KEY = 'typed-key-4711'
const STATUSES = [{ statusType: 'Booked', code: 'BOOKED', name: 'Booked' }]

/**
 * Runs `profiles add dev` and answers its prompts. The service responds with `answer`, or is down if `answer` is
 * `undefined`.
 */
async function addedAtTerminal(answer: Act | undefined, ...flags: readonly string[]) {
  const env = freshHome()
  const server = answer === undefined ? null : await startRawServer(() => answer)
  const url = server?.baseUrl ?? 'http://127.0.0.1:9'
  const { code, screen } = await runInTerminal(
    ['profiles', 'add', 'dev', ...flags],
    [
      ['Base URL', 'service.example\r'],
      ['must be an absolute URL', `\u0015${url}\r`],
      ['Time zone of the venue', 'Australia/Sydney\r'],
      ['API key of dev', '\r'],
      ['the API key is empty', `${KEY}\r`],
    ],
    env,
  )
  const stored = JSON.parse(readFileSync(join(env.PARTNER_CONFIG_DIR, 'profiles.json'), 'utf8'))
  expect(code, screen).toBe(0)
  expect(screen).not.toContain(KEY)
  expect(stored.profiles.dev).toEqual({ baseUrl: url, timezone: 'Australia/Sydney', apiKey: { value: KEY } })
  return { said: screen.replace(/\s+/g, ' '), requests: server?.requests ?? [] }
}

describe('profiles add at a terminal', () => {
  needs(TERMINAL)

  test('profiles add asks for the URL, the time zone and the key, and tests the key with a single request', async () => {
    const { said, requests } = await addedAtTerminal(answers(200, STATUSES))
    expect(said).toContain('the service accepts the key; booking statuses at its venue: 1')
    const expected = [['GET', '/Resources/booking-statuses', KEY]]
    expect(requests.map(({ method, target, headers }) => [method, target, headers['x-api-key']])).toEqual(expected)
  })

  const REFUSED =
    /the service does not accept this key; the profile dev was stored.*partner profiles set dev --api-key-stdin/
  const NO_VENUE = /No Venue Subscribed.*the profile dev was stored.*ask the partner manager/
  const NOT_TRIED = /the key could not be tested: .*; the profile dev was stored next: .*partner profiles check dev/
  test.each<[string, Act | undefined, RegExp]>([
    ['whose key the service rejects', answers(401, { message: 'Unauthorized' }), REFUSED],
    ['whose key has no venue', answers(400, { message: 'No Venue Subscribed to your App.' }), NO_VENUE],
    ['of a service that is down', undefined, NOT_TRIED],
  ])('profiles add stores a profile %s', async (_name, answer, says) =>
    expect((await addedAtTerminal(answer)).said).toMatch(says),
  )

  test('profiles add --no-check sends no request', async () => {
    const { said, requests } = await addedAtTerminal(answers(401, {}), '--no-check')
    expect(said).toContain('added dev as the current profile; next: partner profiles check dev')
    expect(requests).toEqual([])
  })

  test('profiles add refuses the name of an existing profile before it asks any questions', async () => {
    const env = freshHome()
    const add = ['profiles', 'add', 'dev', '--base-url', 'https://dev.example', '--api-key', 'env:K']
    expect(await runPartner(add, { env })).toMatchObject({ code: 0 })
    const { code, screen } = await runInTerminal(['profiles', 'add', 'dev'], [], env)
    expect(code, screen).toBe(2)
    expect(screen).toContain('a profile named "dev" already exists')
  })

  test('profiles set --api-key-stdin prompts for the key without echoing it', async () => {
    const env = freshHome()
    const add = ['profiles', 'add', 'dev', '--base-url', 'https://dev.example', '--api-key', 'env:K']
    expect(await runPartner(add, { env })).toMatchObject({ code: 0 })
    const set = ['profiles', 'set', 'dev', '--api-key-stdin']
    const { code, screen } = await runInTerminal(set, [['API key', `${KEY}\r`]], env)
    expect(code, screen).toBe(0)
    expect(screen).toContain('••••4711 (stored)')
    expect(screen).not.toContain(KEY)
  })
})
