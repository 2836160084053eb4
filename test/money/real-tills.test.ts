import { describe, expect, test } from 'vitest'
import type { Run } from '../support/partner.ts'
import { reportedError } from '../support/refusal.ts'
import { startPartner } from '../support/running.ts'
import { COMMAND_LINES, openShop, type Shop, targetOf } from './cashier.ts'
import { chance } from './chance.ts'
import { PHASES } from './commit-server.ts'
import { FATES, withFate } from './fates.ts'
import { rewriteRows } from './rows.ts'
import { HISTORIES, SEED } from './seeds.ts'
import { COMMANDS, type MoneyCommand } from './till.ts'

const BLOWS = ['none', 'SIGKILL', 'SIGINT', 'SIGTERM'] as const
const LOSSES = ['reset', 'close', 'truncate', 'html', '503'] as const
const MINUTE_MS = 60_000

/** A shop and the single write that the test performs in it. */
interface Scenario {
  readonly shop: Shop
  readonly command: MoneyCommand
  readonly target: string
}

describe('partner processes in random situations', () => {
  const seeds = Array.from({ length: Math.ceil(HISTORIES / 12) }, (_, at) => SEED + at)
  test.each(seeds)('partner processes move money at most once and report it correctly with seed %i', async (seed) => {
    const random = chance(seed)
    const command = COMMANDS[seed % COMMANDS.length] ?? 'giftcards redeem'
    const blow = BLOWS[Math.floor(seed / COMMANDS.length) % BLOWS.length] ?? 'none'
    const scenario: Scenario = { shop: await openShop(), command, target: targetOf(command) }
    const { shop, target } = scenario
    const phase = random.pick(PHASES)
    const loss = random.pick(LOSSES)
    if (blow === 'none' || random.happens(0.7)) shop.server.setFaults('write', target, [{ kind: 'lost', loss, phase }])

    // Partner sends a sale without reading anything first.
    const point = command === 'sales create' || random.happens(0.6) ? 'write' : 'read'
    const run = startPartner([...COMMAND_LINES[command], '--retries', '0'], { env: shop.env })
    if (blow !== 'none')
      shop.server.setCallbacks(point, target, [
        async () => {
          run.process.kill(blow)
          await run.ended
        },
      ])
    const first = await run.ended
    await shop.server.settled()
    const context = `${command}, ${loss} ${phase}, ${blow} at the ${point}: ${first.code} ${first.stderr}`
    if (blow === 'SIGINT' || blow === 'SIGTERM') expect(first.code, context).toBe(point === 'read' ? 130 : 9)
    await expectConsistent(scenario, first, context)
    const fate = random.pick(FATES)
    if (blow === 'SIGKILL') rewriteRows(shop.operationsFile, (row) => ({ ...row, owner: withFate(row.owner, fate) }))

    shop.server.setFaults('write', target, [])
    const open = await openOperation(shop)
    if (first.code === 0) return
    const again = await shop.run(...COMMAND_LINES[command])
    await expectConsistent(scenario, again, `${context}, again: ${again.code} ${again.stderr}`)
    // The write might be refused because a process in another container could be about to send it.
    const isHeld = open === null && fate === 'out of sight' && again.code === 9
    if (open === null && !isHeld) expect(again.code, context).toBe(0)
    if (open === null || again.code === 0) return
    expect(again.code, context).toBe(9)
    expect(reportedError(again)).toMatchObject({ details: { operation: open } })

    // The first check detects that the process has exited or that its deadline has passed. The service then has one
    // minute to finish the write.
    await expectConsistent(scenario, await shop.run('operations', 'resolve', open), context)
    shop.age(2 * MINUTE_MS)
    const resolved = await shop.run('operations', 'resolve', open, '--json')
    if (command === 'sales create') return
    expect(resolved.code, `${context}: ${resolved.stderr}`).toBe(0)
    const state = shop.server.commitsOn(target) === 1 ? 'applied' : 'not-applied'
    expect(JSON.parse(resolved.stdout), context).toMatchObject({ state })
    if (state === 'not-applied') expect((await shop.run(...COMMAND_LINES[command])).code, context).toBe(0)
    expect(shop.server.commitsOn(target), context).toBe(1)
  })
})

/** Returns the ID of the open operation, or `null` if there is none. */
async function openOperation(shop: Shop): Promise<string | null> {
  return (await shop.operations()).find(({ state }) => state === 'open')?.id ?? null
}

/** Expects a run's exit code to agree with what the service did. */
async function expectConsistent({ shop, target }: Scenario, { code }: Run, context: string): Promise<void> {
  const done = shop.server.commitsOn(target)
  const open = await openOperation(shop)
  expect(done, context).toBeLessThanOrEqual(1)
  if (code === 0) expect([done, open], context).toEqual([1, null])
  if (code === 130) expect([done, open], context).toEqual([0, null])
  if (code === null && done === 1) expect(open, context).not.toBeNull()
}
