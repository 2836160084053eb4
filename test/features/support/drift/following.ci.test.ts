import { describe, expect, onTestFinished, test } from 'vitest'
import { type Environment, freshHome, runPartner } from '../../../support/partner.ts'
import { type SandboxProcess, startSandboxProcess } from '../../../support/sandbox-process.ts'
import { schemaViolations } from '../../../support/schema-violations.ts'
import { startAlteringProxy } from '../../../support/spoiled-answers.ts'
import { words } from '../../../support/words.ts'

// biome-ignore lint/suspicious/noExplicitAny: a response can have any shape
type Json = any

const CARD = 'GIFT2-00005025-AAAA'
const LOWER = /[a-z\d]{5}-[a-z\d]{8}-[a-z\d]{4}/

async function ownSandbox() {
  const sandbox = await startSandboxProcess()
  onTestFinished(async () => void (await sandbox.stop()))
  return sandbox
}

/** Starts a service whose responses differ from the contract, and adds a profile for it. */
async function startDeviatingService(sandbox: SandboxProcess) {
  const asked: string[] = []
  const { baseUrl } = await startAlteringProxy(sandbox.baseUrl, {
    request: (request) => {
      asked.push(`${request.method} ${request.target} ${request.body}`)
      const named = `${request.target} ${request.body}`
      if (/[A-Z\d]{5}-[A-Z\d]{8}-[A-Z\d]{4}/.test(named) && !LOWER.test(named))
        return { status: 404, body: { message: 'Gift card not found.' } }
      request.target = request.target.replace(LOWER, (card) => card.toUpperCase())
      request.body = request.body.replace(LOWER, (card) => card.toUpperCase())
      return undefined
    },
    answer: ({ target }, body) => {
      const spoken = inDialect(body)
      if (!/^\/Bookings\?/.test(target)) return spoken
      const { count, bookings } = spoken
      return { count, reservations: bookings }
    },
  })
  const env = { ...freshHome(), KEY: sandbox.apiKey }
  const add = words(`profiles add far --base-url ${baseUrl} --api-key env:KEY --timezone Australia/Sydney`)
  expect(await runPartner(add, { env })).toMatchObject({ code: 0 })
  return { env, asked, baseUrl }
}

function inDialect(value: Json): Json {
  if (Array.isArray(value)) return value.map(inDialect)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]): [string, Json] => {
      if (name === 'lastModifiedDate' && typeof one === 'string') return [name, Date.parse(one)]
      if (name === 'cardNumber' && typeof one === 'string') return [name, one.toLowerCase()]
      return [name, inDialect(one)]
    }),
  )
}

describe('drift accept with a service that differs from the contract', async () => {
  const run = (env: Environment, line: string) => runPartner(words(line), { env })

  test('commands understand a service that differs from the contract, but only after drift accept', async () => {
    const { env, asked } = await startDeviatingService(await ownSandbox())
    const LIST = 'bookings list --updated-from -14d --json'
    expect(await run(env, LIST)).toMatchObject({ code: 8, stdout: expect.not.stringContaining('BK-') })
    expect(await run(env, `giftcards get ${CARD}`)).toMatchObject({ code: 3 })

    expect(await run(env, 'drift accept --yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('drift has not been run with profile far'),
    })
    const before = await run(env, 'drift --fail-on assumed')
    expect(before).toMatchObject({ code: 11, stdout: expect.stringContaining('records under "reservations"') })
    expect(before.stdout).toContain('ms since 1970, whole number')
    expect(before.stdout).toContain('card number in lower case')

    // drift accept requires --yes, because it cannot prompt without a terminal.
    expect(await run(env, 'drift accept')).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') })
    expect(JSON.parse((await run(env, 'profiles show far --json')).stdout)).toMatchObject({ shape: null })
    const accepted = await run(env, 'drift accept --yes --json')
    expect(accepted).toMatchObject({ code: 0, stderr: expect.stringContaining('stored in profile far') })
    expect(schemaViolations('drift accept', accepted.stdout)).toEqual([])
    expect(JSON.parse(accepted.stdout)).toMatchObject([
      { kind: 'list', where: 'GET /Bookings', accepted: 'records under "reservations"' },
      { kind: 'date', where: 'lastModifiedDate', accepted: 'milliseconds since 1970' },
      { kind: 'case', accepted: 'lower case' },
    ])
    expect((await run(env, 'profiles show far')).stdout).toContain('card numbers in lower case')

    const listed = await run(env, LIST)
    expect(listed).toMatchObject({ code: 0 })
    const bookings = JSON.parse(listed.stdout) as readonly Json[]
    expect(bookings.length).toBeGreaterThan(10)
    for (const { lastModifiedDate } of bookings) expect(lastModifiedDate).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const one = await run(env, `bookings get ${bookings[0].bookingId} --json`)
    expect(JSON.parse(one.stdout).customer.lastModifiedDate).toMatch(/Z$/)

    expect(await run(env, `giftcards get ${CARD}`)).toMatchObject({ code: 0 })
    asked.length = 0
    expect(await run(env, `giftcards redeem ${CARD} --amount 1.25`)).toMatchObject({ code: 0 })
    const lower = CARD.toLowerCase()
    expect(asked.join('\n')).toContain(`POST /GiftCards/redeem {"cardNumber":"${lower}","amount":1.25`)
    expect((await run(env, `giftcards get ${CARD} --dry-run`)).stdout).toContain(`/GiftCards/${lower}`)

    const after = await run(env, 'drift --fail-on assumed')
    expect(after).toMatchObject({ code: 0, stderr: expect.stringContaining('as accepted)') })
    expect(after.stdout).not.toContain('contradicted')
    expect(await run(env, 'drift accept')).toMatchObject({ code: 0, stderr: expect.stringContaining('already') })
    expect((await run(env, 'config -p far')).stdout).toContain('card numbers in lower case')

    expect(await run(env, 'drift accept --clear')).toMatchObject({ code: 0 })
    expect(await run(env, LIST)).toMatchObject({ code: 8 })
  })

  test('bookings sync continues from its cursor even if the service sends times in milliseconds', async () => {
    const { env } = await startDeviatingService(await ownSandbox())
    await run(env, 'drift -q')
    expect(await run(env, 'drift accept --yes')).toMatchObject({ code: 0 })
    const copy = `${env.PARTNER_DATA_DIR}/far.db`
    const first = await run(env, `bookings sync --to ${copy} --since -7d`)
    expect(first).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/\b0 new\b/) })
    const second = await run(env, `bookings sync --to ${copy}`)
    expect(second).toMatchObject({ code: 0, stderr: expect.stringMatching(/\b0 new\b/) })
  })
})

test('drift accept keeps differences that were not checked again, and removes those that have disappeared', async () => {
  const sandbox = await ownSandbox()
  let isForeign = true
  const { baseUrl } = await startAlteringProxy(sandbox.baseUrl, {
    request: ({ target }) => (!isForeign && target.startsWith('/GiftCards') ? { status: 403, body: {} } : undefined),
    answer: ({ target }, body) => {
      const spoken = isForeign ? inDialect(body) : body
      return isForeign && /^\/Bookings\?/.test(target) ? spoken.bookings : spoken
    },
  })
  const env = { ...freshHome(), KEY: sandbox.apiKey, PARTNER_PROFILE: 'far' }
  await runPartner(words(`profiles add far --base-url ${baseUrl} --api-key env:KEY`), { env })
  const accept = async () => {
    await runPartner(['drift', '-q'], { env })
    expect(await runPartner(['drift', 'accept', '--yes'], { env })).toMatchObject({ code: 0 })
    return JSON.parse((await runPartner(words('profiles show far --json'), { env })).stdout).shape
  }
  const LOWER_CASE = 'card numbers in lower case'
  expect(await accept()).toBe(`bookings.list: a bare list; lastModifiedDate: milliseconds since 1970; ${LOWER_CASE}`)
  isForeign = false
  expect(await accept()).toBe(LOWER_CASE)
})

test('profiles set removes accepted differences if it changes the base URL', async () => {
  const sandbox = await ownSandbox()
  const { env } = await startDeviatingService(sandbox)
  await runPartner(['drift', '-q'], { env })
  expect(await runPartner(['drift', 'accept', '--yes'], { env })).toMatchObject({ code: 0 })
  const shape = async () => JSON.parse((await runPartner(words('profiles show far --json'), { env })).stdout).shape
  expect(await shape()).toContain('reservations')
  await runPartner(words('profiles set far --mode full'), { env })
  expect(await shape()).toContain('reservations')
  await runPartner(words(`profiles set far --base-url ${sandbox.baseUrl}`), { env })
  expect(await shape()).toBe(null)
})

test.each([
  ['the profile sandbox', ['--profile', 'sandbox'], 2, 'profile sandbox cannot be changed'],
  ['no profile', [], 4, 'no profile is in use'],
])('drift accept fails with %s, because it has nowhere to store differences', async (_, flags, code, said) => {
  const done = await runPartner(['drift', 'accept', '--yes', ...flags], { env: freshHome() })
  expect(done).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) })
})
