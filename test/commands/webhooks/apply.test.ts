import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { type Environment, freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { type Act, answers, type RawRequest, resets, startRawServer } from '../../support/raw-server.ts'
import { expectClean, expectRefusal, reportedError } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

const HOOKS = 'https://pos.example/hooks'
const SECRET = 'hunter2-hunter2'
const VERIFICATION = 'Giftcard Webhook Request Failed Verification.'

type Listed = Readonly<Record<string, string>>

const subscription = (event: string, webhookUrl = HOOKS, more: Listed = {}): Listed => ({ event, webhookUrl, ...more })

function fileOf(content: readonly Listed[] | string, name = 'hooks.yaml'): string {
  const path = join(freshDirectory(), name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return path
}

/** Returns functions that run partner against the service in `env`, or against a new sandbox by default. */
async function toolAt(env?: Environment) {
  const sandbox = env ? null : await startSandboxProcess()
  if (sandbox) onTestFinished(() => void sandbox.stop())
  const all: Environment = { ...freshHome(), ...(env ?? sandbox?.env), HOOK: SECRET }
  const run = (...args: readonly string[]) => runPartner(args, { env: all })
  const apply = (content: readonly Listed[] | string, ...args: readonly string[]) =>
    run('webhooks', 'apply', fileOf(content), ...args)
  return { env: all, run, apply, list: async () => JSON.parse((await run('webhooks', 'list', '--json')).stdout) }
}

/** Returns the event, action and outcome of each row that a run with `--json` printed. */
function rowsOf({ stdout }: { readonly stdout: string }): string[] {
  const rows = JSON.parse(stdout) as readonly Readonly<Record<string, string>>[]
  return rows.map(({ event, action, outcome }) => `${event} ${action} ${outcome}`)
}

describe('webhooks apply with the sandbox', () => {
  test('webhooks apply creates and updates the listed subscriptions, and deletes others only with --prune', async () => {
    const { apply, list, run } = await toolAt()
    await run('webhooks', 'create', 'GIFTCARDS_CREATED', HOOKS)
    await run('webhooks', 'create', 'BOOKING_UPDATED', `${HOOKS}/old`)
    const yaml = `# ours
- event: BOOKING_CREATED
  webhookUrl: ${HOOKS}
  securityKey: env:HOOK
- event: BOOKING_UPDATED
  webhookUrl: ${HOOKS}
`
    const planned = await apply(yaml, '--dry-run')
    expect(planned).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/GIFTCARDS_CREATED; use --prune to delete/),
    })
    expect(planned.stdout).toMatch(/BOOKING_CREATED +create/)
    expect(planned.stderr).toContain('1 to create, 1 to update; nothing was changed')
    expect(await list()).toHaveLength(2)

    const done = await apply(yaml)
    expect(done).toMatchObject({ code: 0 })
    const change = /BOOKING_UPDATED +update +https:\/\/pos.example\/hooks\/old +https:\/\/pos.example\/hooks/
    for (const row of [change, /BOOKING_UPDATED +update +done +200/]) expect(done.stdout).toMatch(row)
    expect(done.stderr).toContain('1 created, 1 updated')
    expectClean(done, [SECRET])
    const all = await list()
    expect(all).toMatchObject([
      { event: 'BOOKING_CREATED', webhookUrl: HOOKS, authenticationEnabled: true },
      { event: 'BOOKING_UPDATED', webhookUrl: HOOKS, authenticationEnabled: false },
      { event: 'GIFTCARDS_CREATED' },
    ])

    const again = await apply(yaml, '--json')
    expect(rowsOf(again)).toEqual(['BOOKING_CREATED unchanged unchanged', 'BOOKING_UPDATED unchanged unchanged'])
    expect(await list()).toEqual(all)

    const pruned = await apply(yaml, '--prune', '--yes', '--json')
    expect(rowsOf(pruned)[2]).toBe('GIFTCARDS_CREATED delete done')
    expect(await list()).toEqual(all.slice(0, 2))
  })

  test('webhooks apply sends credentials that a subscription lacks, and sends them again only with --rotate', async () => {
    const { apply, run } = await toolAt()
    await run('webhooks', 'create', 'BOOKING_CREATED', HOOKS)
    const desired = [subscription('BOOKING_CREATED', HOOKS, { securityToken: 'env:HOOK' })]
    const actions = ['update done', 'unchanged unchanged']
    for (const action of actions) expect(rowsOf(await apply(desired, '--json'))).toEqual([`BOOKING_CREATED ${action}`])
    expect(rowsOf(await apply(desired, '--rotate', '--json'))).toEqual(['BOOKING_CREATED rotate done'])
  })

  test('webhooks apply explains why the service rejected a URL and still makes the other changes', async () => {
    const { apply, list, run } = await toolAt()
    await run('webhooks', 'create', 'GIFTCARDS_UPDATED', HOOKS)
    const desired = [
      subscription('GIFTCARDS_CREATED', 'https://pos.invalid/'),
      subscription('GIFTCARDS_UPDATED', 'https://pos.invalid/'),
      subscription('BOOKING_CREATED'),
    ]
    const done = await apply(desired)
    expect(done).toMatchObject({ code: 11, stdout: expect.stringContaining(VERIFICATION) })
    expect(done.stderr).toMatch(/error: 2 of 3 changes failed: GIFTCARDS_CREATED, GIFTCARDS_UPDATED\n/)
    expect(done.stderr).toMatch(
      /next: the service verifies a URL before it sends gift card events.*2xx.*run the command again/,
    )
    expect((await list()).map((one: Listed) => one['event'])).toEqual(['BOOKING_CREATED', 'GIFTCARDS_UPDATED'])
    const json = await apply(desired, '--json')
    expect(JSON.parse(json.stdout)[0]).toMatchObject({
      ...{ event: 'GIFTCARDS_CREATED', action: 'create', presentUrl: null, webhookUrl: 'https://pos.invalid/' },
      ...{ outcome: 'failed', status: 400, message: VERIFICATION, hint: expect.stringContaining('verifies a URL') },
    })
    expect(reportedError(json)).toMatchObject({ code: 'PARTIAL_FAILURE', details: { failed: 2, of: 2, done: 0 } })
    const unverified = { code: 5, says: VERIFICATION, next: /verifies a URL before/ }
    for (const one of ['create GIFTCARDS_CREATED', 'update GIFTCARDS_UPDATED'])
      expectRefusal(await run('webhooks', ...one.split(' '), 'https://pos.invalid/'), unverified)
  })

  test('webhooks apply reads standard input and accepts an empty list', async () => {
    const { env, list } = await toolAt()
    const apply = (input: string, ...args: string[]) =>
      runPartner(['webhooks', 'apply', '-', '--json', ...args], { env, input })
    const created = await apply(JSON.stringify([subscription('BOOKING_CREATED')]))
    expect(rowsOf(created)).toEqual(['BOOKING_CREATED create done'])
    expect(await apply('[]')).toMatchObject({ code: 0, stdout: '[]\n' })
    expect(rowsOf(await apply('[]', '--prune', '--yes'))).toEqual(['BOOKING_CREATED delete done'])
    expect(await list()).toEqual([])
    expect(reportedError(await apply('- event: NOPE'))).toMatchObject({
      ...{ exitCode: 2, message: expect.stringContaining('standard input:1:3: webhookUrl is missing') },
    })
  })
})

describe('webhooks apply with an invalid file', () => {
  /** Applies a file to a service that must not receive any requests. */
  async function refused(content: string, ...args: readonly string[]) {
    const server = await startRawServer([answers(200, [])])
    const path = fileOf(content)
    const run = await server.run(['webhooks', 'apply', path, ...args])
    expect(server.requests).toEqual([])
    return { path, run }
  }

  test('webhooks apply reports all problems in a file together, with line and column, and sends nothing', async () => {
    const text = `- event: BOKING_CREATED
  webhookUrl: ${HOOKS}
  securityKey: ${SECRET}
- event: BOOKING_UPDATED
  webhookURL: ${HOOKS}
- event: BOOKING_UPDATED
  webhookUrl: ${HOOKS}
`
    const { path, run } = await refused(text)
    expectRefusal(run, { code: 2, says: '5 problems', next: 'nothing was sent', secrets: [SECRET] })
    for (const line of [
      '1:10: unknown event "BOKING_CREATED"; did you mean BOOKING_CREATED?',
      '3:16: securityKey must be env:VARIABLE or file:PATH, not the secret itself',
      '4:3: webhookUrl is missing',
      '5:3: unknown member "webhookURL"; did you mean webhookUrl?',
      '6:10: BOOKING_UPDATED is repeated: it is already on line 4',
    ])
      expect(run.stderr).toContain(`  ${path}:${line}\n`)
  })

  test('webhooks apply lists the first problems in a file and counts the rest', async () => {
    const { run } = await refused('- x\n'.repeat(30))
    expectRefusal(run, { code: 2, says: 'and 10 more' })
  })

  test('webhooks apply rejects a file that is missing, too large, not UTF-8 or a directory', async () => {
    const path = join(freshDirectory(), 'hooks.yaml')
    const applied = () => runPartner(['webhooks', 'apply', path], { env: freshHome() })
    expectRefusal(await applied(), { code: 2, says: 'there is no such file', next: /YAML or JSON/ })
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0x2d, 0x00]))
    expectRefusal(await applied(), { code: 2, says: "is UTF-16, as PowerShell's > writes it" })
    writeFileSync(path, Buffer.from([0x2d, 0xc3, 0x28]))
    expectRefusal(await applied(), { code: 2, says: 'line 1 is not UTF-8' })
    writeFileSync(path, '#'.repeat(70_000))
    expectRefusal(await applied(), { code: 2, says: 'longer than 65536 bytes' })
    expectRefusal(await runPartner(['webhooks', 'apply', '/'], { env: freshHome() }), { code: 2, says: 'a directory' })
  })

  test('webhooks apply exits with code 4 and names the line of each credential that cannot be read', async () => {
    const more = '  securityKey: env:NOT_THERE\n'
    const one = `- event: BOOKING_CREATED\n  webhookUrl: ${HOOKS}\n${more}`
    const { path, run } = await refused(one)
    expectRefusal(run, { code: 4, says: `${path}:3:16: the security key should come from the variable NOT_THERE` })
    const two = await refused(`${one}  securityToken: file:/not/there\n`)
    expectRefusal(two.run, { code: 4, says: /2 credentials cannot be read:\n.*:3:16: .*\n.*:4:18: .*\/not\/there/ })
  })

  test('webhooks apply --prune needs --yes without a terminal', async () => {
    const { run } = await refused('[]', '--prune')
    expectRefusal(run, { code: 2, says: '--prune', next: /--yes/ })
  })

  test('webhooks apply --no-validate sends even an invalid event or URL', async () => {
    const server = await startRawServer(({ method }) =>
      answers(method === 'GET' ? 200 : 400, method === 'GET' ? [] : {}),
    )
    const path = fileOf([subscription('NOPE', 'ftp://x')])
    const run = await server.run(['webhooks', 'apply', path, '--no-validate'])
    expect(run).toMatchObject({ code: 11 })
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual(subscription('NOPE', 'ftp://x'))
  })

  test('webhooks apply makes no change if the current subscriptions cannot be read or compared', async () => {
    for (const [act, code] of [
      [answers(401, { message: 'Unauthorized' }), 4],
      [answers(200, [{ event: null }]), 8],
    ] as const) {
      const server = await startRawServer([act])
      const { apply } = await toolAt(server.env)
      expect(await apply([subscription('BOOKING_CREATED')])).toMatchObject({ code, stdout: '' })
      expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
    }
  })
})

/** Starts a service that stores one subscription per event. The nth item in `acts` handles the nth write. */
async function serviceWith(standing: readonly Listed[], acts: readonly Act[]) {
  const state = new Map(standing.map((one) => [one['event'] ?? '', one]))
  let writes = 0
  const server = await startRawServer(({ method, target }: RawRequest) => {
    if (method !== 'GET') return acts[Math.min(writes++, acts.length - 1)] ?? resets
    if (target === '/Webhooks') return answers(200, [...state.values()])
    const one = state.get(target.split('/').at(-1) ?? '')
    return one ? answers(200, one) : answers(404, { message: "Webhook Subscription for event 'X' was not found" })
  })
  const changes = () =>
    server.requests.filter(({ method }) => method !== 'GET').map(({ method, target }) => `${method} ${target}`)
  return { ...(await toolAt(server.env)), state, changes }
}

const resetsAfter =
  (change: () => void): Act =>
  (socket, request) => {
    change()
    resets(socket, request)
  }

describe('webhooks apply after a lost response', () => {
  const desired = [subscription('BOOKING_CREATED'), subscription('BOOKING_UPDATED')]

  test('after a lost response, webhooks apply reports the change as done if the subscription has the desired values', async () => {
    const { apply, state, changes } = await serviceWith(
      [subscription('BOOKING_CREATED', `${HOOKS}/old`), subscription('GIFTCARDS_CREATED')],
      [
        resetsAfter(() => state.set('BOOKING_CREATED', subscription('BOOKING_CREATED'))),
        resetsAfter(() => state.set('BOOKING_UPDATED', subscription('BOOKING_UPDATED'))),
        resetsAfter(() => state.delete('GIFTCARDS_CREATED')),
      ],
    )
    const done = await apply(desired, '--prune', '--yes', '--json')
    expect(done).toMatchObject({ code: 0 })
    const rows = ['BOOKING_CREATED update done', 'BOOKING_UPDATED create done', 'GIFTCARDS_CREATED delete done']
    expect(rowsOf(done)).toEqual(rows)
    expect(done.stdout).toContain('the response was lost, but the subscription has the URL that was sent')
    expect(changes()).toHaveLength(3)
  })

  test('after a lost response, webhooks apply reports an unknown outcome if the change is not visible, and continues', async () => {
    const { apply } = await serviceWith([], [resets, answers(200, subscription('BOOKING_UPDATED'))])
    const done = await apply(desired, '--json')
    expect(rowsOf(done)).toEqual(['BOOKING_CREATED create unknown', 'BOOKING_UPDATED create done'])
    expect(done.stdout).toContain('the subscription does not exist yet')
    expect(reportedError(done)).toMatchObject({
      ...{ code: 'PARTIAL_FAILURE', outcome: 'unknown', details: { failed: 1, of: 2, done: 1, unknown: 1 } },
      hint: expect.stringContaining('run the command again'),
    })
  })

  test('after a lost response, webhooks apply reports the outcome of a credentials-only change as unknown', async () => {
    const present = subscription('BOOKING_CREATED')
    const { apply } = await serviceWith([present], [resets])
    const done = await apply([{ ...present, securityKey: 'env:HOOK' }], '--rotate')
    expect(done).toMatchObject({ code: 11, stdout: expect.stringContaining('unknown') })
    const error = 'error: 1 of 1 change failed: BOOKING_CREATED; the outcome is unknown for BOOKING_CREATED'
    expect(done.stderr).toContain(error)
    expectClean(done, [SECRET])
  })
})

test('webhooks apply treats a 404 response to a deletion as success, and a 200 response with an error message as failure', async () => {
  const { apply } = await serviceWith(
    [subscription('GIFTCARDS_CREATED')],
    [answers(200, { errorMessage: 'URL did not answer' }), answers(404, { message: 'gone' })],
  )
  const done = await apply([subscription('BOOKING_CREATED')], '--prune', '--yes', '--json')
  expect(done).toMatchObject({ code: 11 })
  expect(rowsOf(done)).toEqual(['BOOKING_CREATED create failed', 'GIFTCARDS_CREATED delete done'])
  expect(JSON.parse(done.stdout)[0].message).toBe('URL did not answer')
})

test('webhooks apply refuses to make changes with a read-only profile, but still plans them with --dry-run', async () => {
  const { env, run, changes } = await serviceWith([], [answers(200, {})])
  const key = { ...env, PARTNER_API_KEY: undefined }
  const add = ['profiles', 'add', 'shop', '--base-url', String(env['PARTNER_BASE_URL']), '--api-key', 'env:HOOK']
  expect(await run(...add, '--mode', 'read-only')).toMatchObject({ code: 0 })
  const apply = (...args: string[]) => {
    const line = ['webhooks', 'apply', fileOf([subscription('BOOKING_CREATED')]), '--profile', 'shop', ...args]
    return runPartner(line, { env: { ...key, PARTNER_BASE_URL: undefined } })
  }
  expectRefusal(await apply(), { code: 2, says: 'is read-only: nothing was sent' })
  expect(rowsOf(await apply('--dry-run', '--json'))).toEqual(['BOOKING_CREATED create planned'])
  expect(changes()).toEqual([])
})

describe('interrupting webhooks apply', () => {
  const desired = [subscription('BOOKING_CREATED'), subscription('BOOKING_UPDATED')]

  test('webhooks apply finishes the current change after a signal, but does not start another change', async () => {
    let release = () => {}
    const waits: Act = (socket, request) => {
      release = () => answers(200, desired[0])(socket, request)
    }
    const { env, changes } = await serviceWith([], [waits])
    const running = startPartner(['webhooks', 'apply', fileOf(desired), '--json'], { env })
    await until(() => changes().length === 1)
    running.process.kill('SIGINT')
    await until(() => running.said.stderr.includes('waiting for work in progress to finish'))
    release()
    const done = await running.ended
    expect(rowsOf(done)).toEqual(['BOOKING_CREATED create done', 'BOOKING_UPDATED create not-done'])
    expect(reportedError(done)).toMatchObject({
      ...{ code: 'INTERRUPTED', exitCode: 130, message: 'stopped by SIGINT: 1 of 2 changes was made' },
      hint: expect.stringContaining('run the command again'),
    })
    expect(changes()).toHaveLength(1)
  })

  test('webhooks apply stops immediately after a second signal and reports an unknown outcome', async () => {
    const { env, changes } = await serviceWith([], [() => {}])
    const running = startPartner(['webhooks', 'apply', fileOf(desired), '--json'], { env })
    await until(() => changes().length === 1)
    running.process.kill('SIGINT')
    await until(() => running.said.stderr.includes('waiting for work in progress to finish'))
    running.process.kill('SIGINT')
    const done = await running.ended
    expect(rowsOf(done)).toEqual(['BOOKING_CREATED create unknown', 'BOOKING_UPDATED create not-done'])
    expect(reportedError(done)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
  })
})

describe('webhooks apply at a terminal', () => {
  needs(TERMINAL)

  test('webhooks apply --prune asks before it deletes and changes nothing if the user answers no', async () => {
    const { env, list, run } = await toolAt()
    await run('webhooks', 'create', 'GIFTCARDS_CREATED', HOOKS)
    const args = ['webhooks', 'apply', fileOf([subscription('BOOKING_CREATED')]), '--prune']
    const question = 'Delete the subscription for GIFTCARDS_CREATED?'
    expect(await runInTerminal(args, [[question, 'n\r']], env)).toMatchObject({ code: 130 })
    expect(await list()).toMatchObject([{ event: 'GIFTCARDS_CREATED' }])
    const { code, screen } = await runInTerminal(args, [[question, 'y\r']], env)
    expect(code, screen).toBe(0)
    expect(screen).toContain('1 created, 1 deleted')
    expect(await list()).toMatchObject([{ event: 'BOOKING_CREATED' }])
  })
})
