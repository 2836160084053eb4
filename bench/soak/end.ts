import { readFileSync } from 'node:fs'
import { checkPings } from './pings.ts'
import { waitFor } from './process.ts'
import type { World } from './world.ts'

/** Compares everything with the service, at the end. Returns what differs. */
export async function checkEnd(world: World, days: number): Promise<string[]> {
  const problems: string[] = []
  const settled = async () => await world.query("SELECT id, state FROM inbox WHERE state <> 'done'")
  await waitFor('all events are done', async () => (await settled()).length === 0, settled).catch((error) =>
    problems.push(String(error)),
  )
  await awaitDeliveries(world).catch((error) => problems.push(String(error)))
  for (const to of [world.path('venue.db'), world.copyUrl, world.log]) {
    const verify = ['bookings', 'sync', 'verify', '--source', 'soak', '--to', to]
    const { code, stdout, stderr } = await world.partner(verify, [0, 11])
    if (code !== 0) problems.push(`${to} differs: ${stderr}${stdout.slice(0, 500)}`)
  }
  problems.push(...(await checkInbox(world)), ...checkPings(world))
  for (let day = 0; day <= days; day++) {
    const { code, stdout } = await world.partner(['sales', 'reconcile', world.path(`closings-${day}.ndjson`)], [0, 11])
    if (code !== 0) problems.push(`the books of day ${day} differ: ${stdout}`)
  }
  const bad = [...world.states()].filter(([, { state }]) => state !== 'ok')
  problems.push(...bad.map(([name, { message }]) => `at the end, ${name} is wrong: ${message}`))
  return problems
}

interface Delivery {
  readonly event: string
  readonly subject: string
  readonly state: string
}

async function deliveries(world: World): Promise<readonly Delivery[]> {
  const { stdout } = await world.partner(['sandbox', 'deliveries', '--data', world.path('venue'), '--json'])
  return JSON.parse(stdout) as Delivery[]
}

/** Waits until the service has delivered all its events. */
export async function awaitDeliveries(world: World): Promise<void> {
  await waitFor(
    'all deliveries arrive',
    async () => (await pending(world)).length === 0,
    () => pending(world),
  )
}

async function pending(world: World): Promise<readonly Delivery[]> {
  return (await deliveries(world)).filter(({ state }) => state === 'pending')
}

/** Each event of the service must have been handled. Deliveries that repeat an event within 10 minutes are one event. */
async function checkInbox(world: World): Promise<string[]> {
  const problems: string[] = []
  const handled = new Map<string, number>()
  const lines = readFileSync(world.path('handled'), 'utf8').trim().split('\n')
  const subjects = new Set(lines.map((line) => line.split(' ').slice(1).join(' ')))
  for (const line of lines) {
    const id = line.split(' ')[0] as string
    handled.set(id, (handled.get(id) ?? 0) + 1)
  }
  for (const { event, subject, state } of await deliveries(world))
    if (state === 'delivered' && !subjects.has(`${event} ${subject}`))
      problems.push(`${event} of ${subject} was delivered, but not handled`)
  // An update that arrives again during or after its handling is handled once more, so `times` limits the handlings.
  const rows = await world.query('SELECT id, times, event, subject FROM inbox')
  const killed = world.named('worker').kills
  let more = 0
  for (const { id, times, event, subject } of rows) {
    const times_ = handled.get(String(id)) ?? 0
    if (times_ === 0) problems.push(`${event} of ${subject} (${id}) is done, but was not handled`)
    if (times_ > Number(times)) more++
  }
  if (more > killed) problems.push(`${more} events were handled again, but the worker was killed ${killed} times`)
  return problems
}
