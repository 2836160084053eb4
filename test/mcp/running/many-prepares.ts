import { expect } from 'vitest'
import type { Sandbox } from '../../support/sandbox-process.ts'
import { until } from '../../support/until.ts'
import { ERAS, type Message, type RawClient } from './client.ts'
import { agentVenue, prepare } from './venue.ts'

export interface ManyPrepares {
  /** The number of servers that run at the same time. */
  readonly processes: number
  /** The number of orders that each server prepares. */
  readonly orders: number
  /** In cents. */
  readonly amount: number
  readonly perDay: number
}

/** Returns a time zone in which it is about noon, so that the day does not end during the test. */
function zoneAtNoon(): string {
  const hours = new Date().getUTCHours() - 12
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '+' : ''}${hours}`
}

const text = (cents: number) => (cents / 100).toFixed(2)

/**
 * Has many servers repeatedly prepare and commit the same redemption, like an agent that starts over after an error.
 * The total must reach the cap, rounded down to whole redemptions.
 */
export async function prepareAnew(
  sandbox: Sandbox,
  { processes, orders, amount, perDay }: ManyPrepares,
): Promise<void> {
  const venue = await agentVenue(sandbox, { PARTNER_TIMEZONE: zoneAtNoon() })
  const flags = ['--allow', 'money', '--approve-up-to', text(amount), '--per-day', text(perDay)]
  const before = await venue.balance()
  const servers = await Promise.all(
    Array.from({ length: processes }, (_, at) => venue.open({ era: ERAS[at % 2] ?? 'legacy', flags })),
  )
  const results: Message[] = []
  const atOnce = <T>(work: (server: RawClient, at: number) => Promise<T>) => Promise.all(servers.map(work))
  for (let order = 0; order < orders; order++) {
    // Have all servers prepare before any of them commits, because a payment in progress blocks identical ones.
    const handles = await atOnce((server) => prepare(server, text(amount)))
    const settled = await atOnce((server, at) => commitUntilSettled(server, handles[at] ?? ''))
    const again = await atOnce(
      async (server, at) => (await server.call('money_commit', { handle: handles[at] })).structuredContent,
    )
    expect(again).toEqual(settled)
    results.push(...settled)
  }
  const most = Math.floor(perDay / amount)
  expect(before - (await venue.balance())).toBe(most * amount)
  const refused = results.filter(({ state }) => state === 'refused')
  expect(results.filter(({ state }) => state === 'done')).toHaveLength(most)
  expect(refused).toHaveLength(processes * orders - most)
  for (const { error } of refused) expect(error).toMatchObject({ code: 'USAGE', outcome: 'not-applied' })
}

/** Commits an order repeatedly until it is completed or refused. Returns the last result. */
async function commitUntilSettled(server: RawClient, handle: string): Promise<Message> {
  let last: Message
  await until(async () => {
    last = (await server.call('money_commit', { handle })).structuredContent
    // Try again if another process is sending an identical payment or the service limits requests.
    if (['OUTCOME_UNKNOWN', 'RATE_LIMITED', 'TIMEOUT'].includes(last.error?.code) || last.state === 'pending')
      return false
    expect(['done', 'refused'], JSON.stringify(last)).toContain(last.state)
    return true
  })
  return last
}
