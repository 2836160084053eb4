import { describe, expect } from 'vitest'
import { getCurrentMoment } from '../../../src/money/operations/moment.ts'
import { OrderTable } from '../../../src/money/orders/orders.ts'
import { getOrderStatus } from '../../../src/money/orders/state.ts'
import { CARD, type Shop, test } from '../../money/cashier.ts'
import { commit, runAsAgent, withStore } from '../../money/orders/in-process.ts'
import { needs } from '../../support/needs.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { schemaViolations } from '../../support/schema-violations.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'

const NO_LIMITS = { approveUpTo: null, perDay: null }
const UNKNOWN = 'mcp_aaaaaaaaaaaaaaaaaaaaaa'

async function prepare({ env }: Shop): Promise<string> {
  const line = [CARD, '--amount', '12.5']
  const { stdout } = await runAsAgent({ kind: 'prepare' }, 'giftcards redeem', line, env)
  return (JSON.parse(stdout) as { handle: string }).handle
}

const stateOf = ({ env }: Shop, handle: string) =>
  withStore(env, (store) => getOrderStatus(store, handle, { now: getCurrentMoment(), approveUpTo: null }).state)

const decideHere = (shop: Shop, ...words: readonly string[]) => shop.run('operations', 'approve', ...words)

describe('operations approve', () => {
  test('operations approve approves an order without sending anything', async ({ shop }) => {
    const handle = await prepare(shop)
    const requests = shop.server.requests.length
    const run = await decideHere(shop, handle, '--yes', '--json')
    expect(run.code, run.stderr).toBe(0)
    expect(run.stderr).toBe('approved: nothing has been sent yet; the next commit sends the order\n')
    expect(schemaViolations('operations approve', run.stdout)).toEqual([])
    expect(JSON.parse(run.stdout)).toEqual({
      handle,
      expiresAt: expect.any(String),
      action: 'giftcards redeem',
      profile: null,
      host: new URL(shop.server.baseUrl).host,
      cardNumber: CARD,
      amount: '12.50',
      balance: '100.00',
      approvedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      declinedAt: null,
    })
    expect(shop.server.requests).toHaveLength(requests)
    expect(stateOf(shop, handle)).toBe('prepared')
    expect((await commit(handle, NO_LIMITS, shop.env)).failure).toBeNull()
    expect(shop.server.commitsOn(CARD)).toBe(1)
  })

  test('operations approve says that an order was already approved', async ({ shop }) => {
    const handle = await prepare(shop)
    const first = await decideHere(shop, handle, '--yes', '--json')
    const again = await decideHere(shop, handle, '--json')
    expect(again).toMatchObject({ code: 0, stdout: first.stdout })
    expect(again.stderr).toBe('this order was already approved; nothing was changed\n')
  })

  test('operations approve --decline declines an order permanently, even after its approval', async ({ shop }) => {
    const handle = await prepare(shop)
    expect((await decideHere(shop, handle, '--yes')).code).toBe(0)
    const declined = await decideHere(shop, handle, '--decline', '--yes', '--json')
    expect(declined.code, declined.stderr).toBe(0)
    expect(stateOf(shop, handle)).toBe('declined')
    expectRefusal(await decideHere(shop, handle, '--yes'), { code: 2, says: 'was declined' })
    expect((await decideHere(shop, handle, '--decline')).stderr).toContain('already declined')
    expect((await commit(handle, NO_LIMITS, shop.env)).failure).toMatchObject({ code: 'USAGE' })
    expect(shop.server.writesOn(CARD)).toBe(0)
  })

  test('operations approve exits with code 2 and stores nothing if it has neither a terminal nor --yes', async ({
    shop,
  }) => {
    const handle = await prepare(shop)
    const says = 'needs confirmation, but partner cannot prompt here'
    for (const more of [[], ['--decline'], ['--no-input']])
      expectRefusal(await decideHere(shop, handle, ...more), { code: 2, says, next: /--yes/ })
    expect(stateOf(shop, handle)).toBe('needs-approval')
  })

  test('operations approve refuses a missing or unknown handle', async ({ shop }) => {
    expectRefusal(await decideHere(shop, UNKNOWN, '--yes'), { code: 3, says: 'there is no prepared order' })
    await prepare(shop)
    expectRefusal(await decideHere(shop, UNKNOWN, '--yes'), { code: 3, says: 'there is no prepared order' })
    expectRefusal(await decideHere(shop, '--yes'), { code: 2, says: 'handle' })
  })

  test('operations approve refuses an order that has expired, has been completed, or has been refused by the service', async ({
    shop,
  }) => {
    const [expired, done, refused] = [await prepare(shop), await prepare(shop), await prepare(shop)]
    withStore(shop.env, (store) => {
      const orders = new OrderTable(store.table)
      orders.put({ ...orders.get(expired), expiresAt: Date.now() - 1 })
    })
    for (const handle of [done, refused]) expect((await decideHere(shop, handle, '--yes')).code).toBe(0)
    expect((await commit(done, NO_LIMITS, shop.env)).failure).toBeNull()
    shop.server.setFaults('write', CARD, [{ kind: 'refused', status: 400, body: { message: 'No.' } }])
    expect((await commit(refused, NO_LIMITS, shop.env)).failure).toMatchObject({ code: 'REJECTED' })
    for (const [handle, says] of [
      [expired, 'has expired'],
      [done, 'was done'],
      [refused, 'was refused'],
    ] as const)
      for (const more of [['--yes'], ['--yes', '--decline']])
        expectRefusal(await decideHere(shop, handle, ...more), { code: 2, says })
  })

  describe('operations approve at a terminal', () => {
    needs(TERMINAL)

    test.for([
      ['y', 'prepared'],
      ['n', 'needs-approval'],
    ] as const)(
      'operations approve shows the order and asks; the answer %s makes the order %s',
      async ([answer, state], { shop }) => {
        const handle = await prepare(shop)
        const dialogue = [['Approve giftcards redeem', `${answer}\n`]] as const
        const { screen, code } = await runInTerminal(['operations', 'approve', handle], dialogue, shop.env)
        expect(screen.slice(0, screen.indexOf('Approve giftcards'))).toMatch(/12\.50[\s\S]*100\.00[\s\S]*127\.0\.0\.1/)
        expect(code).toBe(answer === 'y' ? 0 : 130)
        expect(stateOf(shop, handle)).toBe(state)
      },
    )

    test('operations approve quotes a sale ID that imitates the approval question', async ({ shop }) => {
      const line = ['--sale-id', 'T-9 for 1.00 AUD?', '--staff-id', 'x', '--seats', '2', '--total-cents', '990000']
      const order = [...line, '--currency', 'AUD', '--closed', '2025-03-14T09:10:00Z']
      const { stdout, failure } = await runAsAgent({ kind: 'prepare' }, 'sales create', order, shop.env)
      expect(failure).toBeNull()
      const { handle } = JSON.parse(stdout) as { handle: string }
      const words = ['operations', 'approve', handle]
      const { screen } = await runInTerminal(words, [['Approve sales create', 'n\n']], shop.env)
      expect(screen).toContain('Approve sales create "T-9 for 1.00 AUD?" for 9900.00 AUD (')
    })
  })
})
