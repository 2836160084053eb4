import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { seededRandom } from '../../test/base/json/seeded.ts'
import { Activity } from './activity.ts'
import { dayBeginningAfter, EVE, HOUR, MINUTE, stepClock } from './clock.ts'
import { awaitDeliveries, checkEnd } from './end.ts'
import type { Fault, Scene } from './fault.ts'
import { type Entry, Watch } from './ledger.ts'
import { MACHINE_FAULTS } from './machine-faults.ts'
import { judgeGrowth, type Measured, measure, printMeasured } from './measured.ts'
import { countPings } from './pings.ts'
import { waitFor } from './process.ts'
import { checkReports } from './reports.ts'
import { SERVICE_FAULTS } from './service-faults.ts'
import { World } from './world.ts'

/** The number of days. Fewer days have fewer faults. */
const DAYS = Number(process.env['SOAK_DAYS'] ?? 7)

/** Plays a week. Prints what happened. Returns whether all promises were kept. */
export async function playWeek(seed: number): Promise<boolean> {
  const began = performance.now()
  const random = seededRandom(seed)
  const world = new World()
  const entries: Entry[] = []
  const problems: string[] = []
  const measured: Measured[] = []
  const plan = distribute(random, world.disk !== null)
  // What guests do depends on the speed of the machine, so it must not change the order of the faults.
  const activity = new Activity(world, seededRandom(seed + 1_000_000))
  const watch = new Watch(world, async () => {
    await activity.pause()
    const leased = async () => await world.query("SELECT id FROM inbox WHERE state = 'leased'")
    await waitFor('no event is being handled', async () => (await leased()).length === 0, leased)
    return () => activity.resume()
  })
  try {
    await world.start()
    writeFileSync(world.path('books.ndjson'), '')
    await activity.start()
    await waitFor('all syncs have run', () =>
      ['sync-file', 'sync-postgres', 'sync-log'].every((name) => world.named(name).said.includes(' new, ')),
    )
    await waitFor('an event was handled', async () => (await world.query('SELECT id FROM inbox')).length > 0)
    await closeBooks(world, activity.writeClosings(0).file)
    stepClock(EVE)
    await world.startMonitor()
    await watch.settle()
    for (let day = 1; day <= DAYS; day++) {
      const scene = { world, watch, activity, random, closings: activity.writeClosings(day) }
      for (const fault of plan[day - 1] ?? []) {
        const entry = await play(fault, scene, day)
        entries.push(entry)
        say(seed, entry)
      }
      problems.push(...(await endDay(scene, day)))
      measured.push(await measure(world, day))
      if (day === DAYS) break
      await passNight(scene)
    }
    // The service tries a delivery that has failed four times again after half an hour.
    await watch.step(HOUR)
    await activity.end()
    await watch.settle()
    problems.push(...(await checkEnd(world, DAYS)), ...judgeGrowth(measured))
  } catch (error) {
    problems.push(`the week ended early: ${error instanceof Error ? error.message : error}`)
  } finally {
    await activity.end().catch(() => {})
    await world.end()
  }
  problems.push(...entries.flatMap(({ fault, problem }) => (problem === '' ? [] : [`${fault}: ${problem}`])))
  printTable(entries)
  printMeasured(measured)
  const endings = world.processes.flatMap((one) => one.endings)
  for (const line of new Set(endings)) process.stdout.write(`started again: ${line}\n`)
  process.stdout.write(`pings: ${countPings(world)}\n`)
  const { done } = activity
  process.stdout.write(
    `seed ${seed}: ${((performance.now() - began) / 1000).toFixed(0)} s; ${JSON.stringify(done)}; ${world.receivers.alerts.length} alerts, ${world.receivers.repeated} repeated with the same key\n`,
  )
  for (const line of problems) process.stdout.write(`PROBLEM ${line}\n`)
  return problems.length === 0
}

/** Spreads the faults over the days, in an order that depends on the seed. */
function distribute(random: () => number, hasDisk: boolean): Fault[][] {
  const usable = [...SERVICE_FAULTS, ...MACHINE_FAULTS].filter(({ needsDisk }) => hasDisk || needsDisk !== true)
  const shuffled = usable.map((fault) => ({ fault, key: random() })).toSorted((a, b) => a.key - b.key)
  const plan: Fault[][] = Array.from({ length: DAYS }, () => [])
  for (const [index, { fault }] of shuffled.entries()) if (index < DAYS * 3) plan[index % DAYS]?.push(fault)
  return plan
}

async function play(fault: Fault, scene: Scene, day: number): Promise<Entry> {
  const { world, watch } = scene
  const { alerts } = world.receivers
  const since = alerts.length
  const injected = new Date().toISOString()
  const heal = await fault.inject(scene)
  if (fault.check !== null && fault.isToldLater !== true)
    await watch.untilTold(since, fault.check, fault.mayStep === true)
  await heal()
  if (fault.check !== null) await watch.untilEnded(since, fault.check)
  await watch.settle()
  const told = alerts.slice(since)
  const expected = fault.check === null ? [] : [`${fault.check} began`, `${fault.check} ended`]
  const got = told.map(({ check, change }) => `${check} ${change}`)
  const at = (change: string) => told.find((one) => one.check === fault.check && one.change === change)?.at ?? ''
  const problem =
    got.join() === expected.join()
      ? ''
      : `told: ${told.map((one) => `${one.check} ${one.change} (${one.message})`).join('; ')}`
  return { day, fault: fault.name, check: fault.check, injected, began: at('began'), ended: at('ended'), problem }
}

/**
 * Moves the clock to the next day, by way of the venue's midnight, when the sandbox books and moves guests. The monitor
 * looks on.
 */
async function passNight({ world, watch }: Scene): Promise<void> {
  const resume = await watch.quiet()
  const morning = dayBeginningAfter(Date.now()) - EVE
  await watch.step(morning - Date.now())
  // The sandbox notices within a second that a day has begun.
  const changed = `/Bookings?UpdatedFromDate=${new Date(morning - MINUTE).toISOString()}&UpdatedToDate=2100-01-01T00:00:00.000Z`
  await waitFor('the day begins', async () => ((await world.ask('GET', changed)) as { count: number }).count > 0)
  await awaitDeliveries(world)
  resume()
  // The last 15 minutes are not compared with events.
  await watch.step(20 * MINUTE)
  await awaitCopy(world)
  await watch.step(EVE)
  await watch.step(16 * MINUTE)
  // The worker deletes old events once an hour of its own, which a week in minutes does not have.
  const work = ['webhooks', 'work', '--from', world.inboxUrl, '--exec', `sh ${world.path('handle.sh')}`]
  await world.partner([...work, '--keep', '1d', '--until-empty'])
}

/** Waits until a sync has run since the clock was moved. */
async function awaitCopy(world: World): Promise<void> {
  const since = Date.now()
  await waitFor('the copy is current', async () => {
    const { stdout } = await world.partner([
      'bookings',
      'sync',
      'status',
      '--to',
      world.path('venue.db'),
      '--source',
      'soak',
      '--json',
    ])
    return Date.parse((JSON.parse(stdout) as { cursor: string }).cursor) >= since
  })
}

/** Imports the day's sales, and gives them to the check of the books. */
async function closeBooks(world: World, file: string): Promise<void> {
  await world.partner(['sales', 'import', file, '--quiet'])
  writeFileSync(world.path('books.new'), readFileSync(file))
  renameSync(world.path('books.new'), world.path('books.ndjson'))
}

/** What a venue runs in the evening and at night. Returns what is wrong in its results. */
async function endDay({ world, watch, closings }: Scene, day: number): Promise<string[]> {
  await closeBooks(world, closings.file)
  await world.partner(['sales', 'reconcile', closings.file])
  await world.partner(['bookings', 'sync', 'compact', world.log, '--quiet'])
  const resume = await watch.quiet()
  try {
    await awaitCopy(world)
    return await checkReports(world, day)
  } finally {
    resume()
  }
}

function say(seed: number, { day, fault, check, problem }: Entry): void {
  process.stderr.write(`seed ${seed}, day ${day}: ${fault} (${check ?? 'no alert'})${problem && `: ${problem}`}\n`)
}

function printTable(entries: readonly Entry[]): void {
  const cells = [
    ['DAY', 'INJECTED', 'FAULT', 'CHECK', 'BEGAN', 'ENDED'],
    ...entries.map(({ day, fault, check, injected, began, ended }) => [
      ...[String(day), short(injected), fault, check ?? 'none'],
      ...[short(began), short(ended)],
    ]),
  ]
  const widths = cells[0]?.map((_, n) => Math.max(...cells.map((row) => row[n]?.length ?? 0))) ?? []
  for (const row of cells)
    process.stdout.write(
      `${row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
}

function short(time: string): string {
  return time.slice(5, 19).replace('T', ' ')
}
