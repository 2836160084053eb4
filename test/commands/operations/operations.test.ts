import { describe, expect, onTestFinished, test } from 'vitest'
import { momentHere } from '../../../src/money/operations/moment.ts'
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

/** Makes a write whose answer is lost before it is done, and gives the id of its operation. */
async function lose(shop: Shop, command: MoneyCommand = 'giftcards redeem', ...more: string[]): Promise<string> {
  shop.server.faults('write', CARD, [{ kind: 'lost', loss: 'reset', phase: 'before' }])
  const run = await shop.run(...COMMAND_LINES[command], ...more)
  return String((reportedError(run).details as { operation?: unknown }).operation)
}

/** A shop whose service is the profile `till`, in Sydney. */
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
  test('says that there are none', async () => {
    const env = freshHome()
    expect(await runPartner(['operations', 'list', '--json'], { env })).toMatchObject({ code: 0, stdout: '[]\n' })
    expect((await runPartner(['operations', 'list'], { env })).stderr).toContain('No operations')
    expect((await runPartner(['operations', 'list', '--state', 'open'], { env })).stderr).toContain('No operations')
  })

  test('shows those of a profile, and those in a state', async () => {
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

  test('gives times in the zone of the profile, and amounts with two decimals', async () => {
    const shop = await shopWithProfile()
    const id = await lose(shop, 'giftcards redeem', '-p', 'till')
    const listed = await shop.run('operations', 'list')
    const inUtc = await runPartner(['operations', 'list'], { env: { ...shop.env, PARTNER_TIMEZONE: 'UTC' } })
    expect(listed.stdout).not.toBe(inUtc.stdout)
    expect(listed.stdout).toMatch(/ 25\.00 /)
    expect((await shop.run('operations', 'show', id)).stdout).toMatch(/Started +[\d-]+ [\d:]+ Australia\/Sydney/)
  })
})

describe('the command that repeats a write', () => {
  test('is refused whichever way the address of this machine is written', async () => {
    const shop = await openShop()
    const id = await lose(shop)
    const elsewhere = { ...shop.env, PARTNER_BASE_URL: shop.server.baseUrl.replace('127.0.0.1', 'localhost') }
    const again = await runPartner(COMMAND_LINES['giftcards redeem'], { env: elsewhere })
    expect(reportedError(again)).toMatchObject({ exitCode: 9, details: { operation: id } })
    expect(shop.server.writesOn(CARD)).toBe(1)
    const resolved = await runPartner(['operations', 'resolve', id, '--json'], { env: elsewhere })
    expect(reportedError(resolved)).toMatchObject({ exitCode: 9, details: { operation: id } })
  })

  test('is given once the write is known not to have been done, and runs as pasted', async () => {
    const shop = await shopWithProfile()
    const id = await lose(shop, 'giftcards redeem', '-p', 'till')
    expect((await shop.run('operations', 'show', id)).stdout).not.toContain('partner giftcards')
    shop.age(61_000)
    const resolved = await shop.run('operations', 'resolve', id)
    const repeat = `partner giftcards redeem ${CARD} --amount 25.00 --profile till`
    expect(resolved.stderr).toBe(`to make this write now: ${repeat}\n`)
    const shown = await shop.run('operations', 'show', id, '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'not-applied', repeat })
    expect((await runShell(`${repeat} --json`, { env: shop.env })).code).toBe(0)
    expect(shop.server.commitsOn(CARD)).toBe(1)
  })

  test('is not given for a write that was done, nor for a sale, which has more to it', async () => {
    const shop = await openShop()
    const done = await shop.run('operations', 'resolve', await lose(shop), '--as', 'applied', '--yes', '--json')
    expect(JSON.parse(done.stdout).repeat).toBeNull()
  })
})

describe('operations resolve --wait', () => {
  test('asks until it can tell', async () => {
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

  test('exits with 9 when its time is over, wherever --wait is on the line', async () => {
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

  test('continues if the service is unavailable for a while', async () => {
    const shop = await openShop()
    const id = await lose(shop)
    shop.age(61_000)
    shop.server.faults('read', CARD, [{ kind: 'refused', status: 503, body: '' }])
    const run = await shop.run('operations', 'resolve', id, '--wait', '--retries', '0', '--json')
    expect(run.code, run.stderr).toBe(0)
  })

  describe('at a terminal', () => {
    needs(TERMINAL)

    test('says what it waits for', async () => {
      const shop = await openShop()
      const line = ['operations', 'resolve', await lose(shop), '--wait']
      const { code, screen } = await runInTerminal(line, [['checking again in', () => shop.age(61_000)]], shop.env)
      expect(code, screen).toBe(0)
      expect(screen).toContain('outcome still unknown; checking again in 3 s; Ctrl-C stops checking')
    })
  })
})

describe('operations resolve, when another process ends the operation while it reads the card,', () => {
  async function resolveMeanwhile(end: (shop: Shop, id: string) => void) {
    const shop = await openShop()
    const id = await lose(shop)
    shop.age(61_000)
    shop.server.meanwhile('read', CARD, [() => end(shop, id)])
    return { id, run: await shop.run('operations', 'resolve', id, '--json') }
  }

  test.each(['done', 'applied'] as const)('prints that it was done if its row is %s', async (state) => {
    const { id, run } = await resolveMeanwhile((shop) =>
      rewriteRows(shop.operationsFile, (row) => ({ ...row, state, how: 'told elsewhere', ended: row.sent })),
    )
    expect(run.code, run.stderr).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ id, state: 'applied', how: 'told elsewhere' })
  })

  test('ends with 9 if its row is gone', async () => {
    const { id, run } = await resolveMeanwhile((shop) => removeRows(shop.operationsFile))
    expect(run.code).toBe(9)
    expect(reportedError(run).message).toContain(`another process has just settled operation ${id}`)
  })
})

test('operations resolve right after a lost answer suggests --wait', async () => {
  const shop = await openShop()
  const id = await lose(shop)
  const says = 'the service may still be working on it'
  const next = new RegExp(`: partner operations resolve ${id} --wait `)
  expectRefusal(await shop.run('operations', 'resolve', id), { code: 9, says, next })
})

test('operations resolve --as ends with 9 while another process is sending the write, and changes nothing', async () => {
  const shop = await openShop()
  const codes: (number | null)[] = []
  shop.server.meanwhile('write', CARD, [
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

test('a write that the service confirms is listed as done, although the user recorded that it was not done', async () => {
  const shop = await openShop()
  shop.server.meanwhile('write', CARD, [
    () => {
      const said = { state: 'not-applied', how: 'said by a person' } as const
      rewriteRows(shop.operationsFile, (row) => ({ ...row, ...said, ended: row.sent }))
    },
  ])
  expect(await shop.run(...COMMAND_LINES['giftcards redeem'])).toMatchObject({ code: 0, stderr: '' })
  expect(await shop.operations()).toMatchObject([{ target: CARD, state: 'applied' }])
})

test('a record that another process settled is not judged again, even if the process that sent it is gone', async () => {
  const shop = await openShop()
  const id = await lose(shop)
  const store = OperationStore.open(shop.operationsFile)
  onTestFinished(() => store.close())
  store.settle(id, 'applied', 'told elsewhere', momentHere())
  expect(store.markGone(id, momentHere())).toMatchObject({ state: 'applied', how: 'told elsewhere' })
  removeRows(shop.operationsFile)
  expect(() => store.markGone(id, momentHere())).toThrow(expect.objectContaining({ code: 'OUTCOME_UNKNOWN' }))
})

test('an operation whose profile was removed says how to go on', async () => {
  const shop = await shopWithProfile()
  const id = await lose(shop, 'giftcards redeem', '-p', 'till')
  expect((await shop.run('profiles', 'remove', 'till', '--yes')).code).toBe(0)
  const next = new RegExp(`--profile NAME.*partner operations resolve ${id} --as applied, or --as not-applied`)
  expectRefusal(await shop.run('operations', 'resolve', id), { code: 4, says: 'till', next })
  expect((await shop.run('operations', 'resolve', id, '--as', 'not-applied', '--yes')).code).toBe(0)
})

test('an operation at an address of this machine where nothing listens any more says how to end it', async () => {
  const shop = await openShop()
  const id = await lose(shop)
  const env = { ...shop.env, PARTNER_BASE_URL: 'http://127.0.0.1:9' }
  const run = await runPartner(['operations', 'resolve', id, '--retries', '0'], { env })
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('--as applied, or --as not-applied') })
})
