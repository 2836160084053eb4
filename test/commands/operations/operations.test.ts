import { describe, expect, onTestFinished, test } from 'vitest'
import { getCurrentMoment } from '../../../src/money/operations/moment.ts'
import { OperationStore } from '../../../src/money/operations/store.ts'
import { CARD, COMMAND_LINES, openShop, type Shop } from '../../money/cashier.ts'
import { removeRows, rewriteRows } from '../../money/rows.ts'
import type { MoneyCommand } from '../../money/till.ts'
import { needs } from '../../support/needs.ts'
import { freshHome, runPartner, runShell } from '../../support/partner.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

/** Runs a write whose request is lost before the service performs it. Returns the operation ID. */
async function lose(shop: Shop, command: MoneyCommand = 'giftcards redeem', ...more: string[]): Promise<string> {
  shop.server.setFaults('write', CARD, [{ kind: 'lost', loss: 'reset', phase: 'before' }])
  const run = await shop.run(...COMMAND_LINES[command], ...more)
  return String((reportedError(run).details as { operation?: unknown }).operation)
}

/** Sets up a shop with a `till` profile for its service, in Sydney's time zone. */
async function shopWithProfile(): Promise<Shop> {
  const shop = await openShop()
  const added = await runPartner(
    ['profiles', 'add', 'till', '--base-url', shop.server.baseUrl, '--timezone', 'Australia/Sydney', '--api-key-stdin'],
    { env: { ...shop.env, PARTNER_BASE_URL: undefined, PARTNER_API_KEY: undefined }, input: 'till-key-4711' },
  )
  expect(added.code, added.stderr).toBe(0)
  const env = { ...shop.env, PARTNER_BASE_URL: undefined, PARTNER_API_KEY: undefined }
  return { ...shop, env, run: (...args) => runPartner(args, { env }) }
}

describe('operations list', () => {
  test('operations list reports that there are no operations', async () => {
    const env = freshHome()
    expect(await runPartner(['operations', 'list', '--json'], { env })).toMatchObject({ code: 0, stdout: '[]\n' })
    expect((await runPartner(['operations', 'list'], { env })).stderr).toContain('No operations')
    expect((await runPartner(['operations', 'list', '--state', 'open'], { env })).stderr).toContain('No matching')
  })

  test('operations list filters by profile and by state', async () => {
    const shop = await shopWithProfile()
    const id = await lose(shop, 'giftcards redeem', '-p', 'till')
    const ids = async (...args: string[]) =>
      (JSON.parse((await shop.run('operations', 'list', '--json', ...args)).stdout) as { id: string }[]).map(
        (o) => o.id,
      )
    expect(await ids('--profile', 'till')).toEqual([id])
    expect(await ids('-p', 'other')).toEqual([])
    expect(await ids('--state', 'open')).toEqual([id])
    expect(await ids('--state', 'applied')).toEqual([])
    const says = '--state must be open, applied or not-applied, not "done"'
    expectRefusal(await shop.run('operations', 'list', '--state', 'done'), { code: 2, says })
  })

  test("operations list shows times in the profile's time zone and amounts with two decimal places", async () => {
    const shop = await shopWithProfile()
    const id = await lose(shop, 'giftcards redeem', '-p', 'till')
    const listed = await shop.run('operations', 'list')
    const inUtc = await runPartner(['operations', 'list'], { env: { ...shop.env, PARTNER_TIMEZONE: 'UTC' } })
    expect(listed.stdout).not.toBe(inUtc.stdout)
    expect(listed.stdout).toMatch(/ 25\.00 /)
    expect((await shop.run('operations', 'show', id)).stdout).toMatch(/Started +[\d-]+ [\d:]+ Australia\/Sydney/)
  })
})

describe('the command for repeating a write', () => {
  test('an identical redemption is refused even if the service is addressed as localhost instead of 127.0.0.1', async () => {
    const shop = await openShop()
    const id = await lose(shop)
    const elsewhere = { ...shop.env, PARTNER_BASE_URL: shop.server.baseUrl.replace('127.0.0.1', 'localhost') }
    const again = await runPartner(COMMAND_LINES['giftcards redeem'], { env: elsewhere })
    expect(reportedError(again)).toMatchObject({ exitCode: 9, details: { operation: id } })
    expect(shop.server.writesOn(CARD)).toBe(1)
    const resolved = await runPartner(['operations', 'resolve', id, '--json'], { env: elsewhere })
    expect(reportedError(resolved)).toMatchObject({ exitCode: 9, details: { operation: id } })
  })

  test('operations resolve prints a ready-to-paste command for repeating a write that was not applied', async () => {
    const shop = await shopWithProfile()
    const id = await lose(shop, 'giftcards redeem', '-p', 'till')
    expect((await shop.run('operations', 'show', id)).stdout).not.toContain('partner giftcards')
    shop.age(61_000)
    const resolved = await shop.run('operations', 'resolve', id)
    const repeat = `partner giftcards redeem ${CARD} --amount 25.00 --profile till`
    expect(resolved.stderr).toBe(`to perform this write now: ${repeat}\n`)
    const shown = await shop.run('operations', 'show', id, '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'not-applied', repeat })
    expect((await runShell(`${repeat} --json`, { env: shop.env })).code).toBe(0)
    expect(shop.server.commitsOn(CARD)).toBe(1)
  })

  test('operations resolve prints no command for a write that was applied', async () => {
    const shop = await openShop()
    const done = await shop.run('operations', 'resolve', await lose(shop), '--as', 'applied', '--yes', '--json')
    expect(JSON.parse(done.stdout).repeat).toBeNull()
  })
})

describe('operations resolve --wait', () => {
  test('operations resolve --wait keeps checking until the outcome is known', async () => {
    const shop = await openShop()
    const id = await lose(shop)
    const reads = shop.server.requests.length
    const waiting = startPartner(['operations', 'resolve', id, '--wait', '--json'], { env: shop.env })
    await until(() => shop.server.requests.length > reads)
    shop.age(61_000)
    const run = await waiting.ended
    expect(run.code, run.stderr).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ id, state: 'not-applied' })
    expect(run.stderr).toBe('')
  })

  test('operations resolve exits with code 9 after the --wait time limit, whether --wait precedes or follows the ID', async () => {
    const shop = await openShop()
    const id = await lose(shop)
    for (const args of [
      [id, '--wait', '1ms'],
      ['--wait=1ms', id],
      ['--wait', '1ms', id],
    ])
      expect((await shop.run('operations', 'resolve', ...args)).code).toBe(9)
    for (const [typed, says] of [
      [['--wait=soon', id], '--wait: "soon" is not a duration'],
      [[id, '--wait', '1x'], '--wait: "1x" is not a duration'],
      [[id, '--wait', '5'], '--wait: "5" has no unit'],
      [[id, '--wait', '-1s'], '--wait: "-1s" is not a duration'],
      [['--wait', '1x', id], '--wait: "1x" is not a duration'],
      [[id, '--wait', ''], '--wait: "" is not a duration'],
    ] as const)
      expectRefusal(await shop.run('operations', 'resolve', ...typed), { code: 2, says, next: /500ms, 30s, 2m/ })
  })

  test('operations resolve --wait keeps checking if the service is temporarily unavailable', async () => {
    const shop = await openShop()
    const id = await lose(shop)
    shop.age(61_000)
    shop.server.setFaults('read', CARD, [{ kind: 'refused', status: 503, body: '' }])
    const run = await shop.run('operations', 'resolve', id, '--wait', '--retries', '0', '--json')
    expect(run.code, run.stderr).toBe(0)
  })

  describe('operations resolve --wait at a terminal', () => {
    needs(TERMINAL)

    test('operations resolve --wait shows at a terminal what it is waiting for', async () => {
      const shop = await openShop()
      const line = ['operations', 'resolve', await lose(shop), '--wait']
      const { code, screen } = await runInTerminal(line, [['checking again in', () => shop.age(61_000)]], shop.env)
      expect(code, screen).toBe(0)
      expect(screen).toContain('outcome still unknown; checking again in 3 s; Ctrl-C stops checking')
    })
  })
})

describe('operations resolve while another process resolves the same operation', () => {
  async function resolveMeanwhile(end: (shop: Shop, id: string) => void) {
    const shop = await openShop()
    const id = await lose(shop)
    shop.age(61_000)
    shop.server.setCallbacks('read', CARD, [() => end(shop, id)])
    return { id, run: await shop.run('operations', 'resolve', id, '--json') }
  }

  test.each(['done', 'applied'] as const)(
    'operations resolve reports a write as applied if another process recorded it as %s',
    async (state) => {
      const { id, run } = await resolveMeanwhile((shop) =>
        rewriteRows(shop.operationsFile, (row) => ({ ...row, state, how: 'told elsewhere', ended: row.sent })),
      )
      expect(run.code, run.stderr).toBe(0)
      expect(JSON.parse(run.stdout)).toMatchObject({ id, state: 'applied', how: 'told elsewhere' })
    },
  )

  test('operations resolve exits with code 9 if another process has removed the operation', async () => {
    const { id, run } = await resolveMeanwhile((shop) => removeRows(shop.operationsFile))
    expect(run.code).toBe(9)
    expect(reportedError(run).message).toContain(`another process has just recorded the outcome of operation ${id}`)
  })
})

test('operations resolve suggests --wait if a response was lost a moment ago', async () => {
  const shop = await openShop()
  const id = await lose(shop)
  const says = 'the service may still be working on it'
  const next = new RegExp(`: partner operations resolve ${id} --wait `)
  expectRefusal(await shop.run('operations', 'resolve', id), { code: 9, says, next })
})

test('operations resolve --as exits with code 9 and changes nothing while another process is sending the write', async () => {
  const shop = await openShop()
  const codes: (number | null)[] = []
  shop.server.setCallbacks('write', CARD, [
    async () => {
      const id = (await shop.operations())[0]?.id ?? ''
      for (const as of ['applied', 'not-applied']) {
        const run = await shop.run('operations', 'resolve', id, '--as', as, '--yes', '--json')
        codes.push(run.code)
        expect(reportedError(run).message).toContain('may still be sending')
      }
    },
  ])
  const redeem = await shop.run(...COMMAND_LINES['giftcards redeem'])
  expect(codes).toEqual([9, 9])
  expect(redeem.code, redeem.stderr).toBe(0)
  expect(await shop.operations()).toEqual([])
})

test('a confirmed write is listed as applied, even if a user set it to not-applied while it was in flight', async () => {
  const shop = await openShop()
  shop.server.setCallbacks('write', CARD, [
    () => {
      const said = { state: 'not-applied', how: 'said by a person' } as const
      rewriteRows(shop.operationsFile, (row) => ({ ...row, ...said, ended: row.sent }))
    },
  ])
  expect(await shop.run(...COMMAND_LINES['giftcards redeem'])).toMatchObject({ code: 0, stderr: '' })
  expect(await shop.operations()).toMatchObject([{ target: CARD, state: 'applied' }])
})

test('markGone leaves an operation unchanged if another process has already recorded its outcome', async () => {
  const shop = await openShop()
  const id = await lose(shop)
  const store = OperationStore.open(shop.operationsFile)
  onTestFinished(() => store.close())
  store.settle(id, 'applied', 'told elsewhere', getCurrentMoment())
  expect(store.markGone(id, getCurrentMoment())).toMatchObject({ state: 'applied', how: 'told elsewhere' })
  removeRows(shop.operationsFile)
  expect(() => store.markGone(id, getCurrentMoment())).toThrow(expect.objectContaining({ code: 'OUTCOME_UNKNOWN' }))
})

test("operations resolve explains how to continue if the operation's profile was removed", async () => {
  const shop = await shopWithProfile()
  const id = await lose(shop, 'giftcards redeem', '-p', 'till')
  expect((await shop.run('profiles', 'remove', 'till', '--yes')).code).toBe(0)
  const next = new RegExp(`--profile NAME.*partner operations resolve ${id} --as applied, or --as not-applied`)
  expectRefusal(await shop.run('operations', 'resolve', id), { code: 4, says: 'till', next })
  expect((await shop.run('operations', 'resolve', id, '--as', 'not-applied', '--yes')).code).toBe(0)
})

test('operations resolve explains how to resolve an operation if the local service has moved to another address', async () => {
  const shop = await openShop()
  const id = await lose(shop)
  const env = { ...shop.env, PARTNER_BASE_URL: 'http://127.0.0.1:9' }
  const run = await runPartner(['operations', 'resolve', id, '--retries', '0'], { env })
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('--as applied, or --as not-applied') })
})
