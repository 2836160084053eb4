import type { Chance } from '../chance.ts'
import { ARRIVALS, type Arrival } from './service-line.ts'

/** A step in a run, where a test can inject a fault. */
export interface Step {
  /**
   * The kind of step: a commit to the host's own record, a message to the ledger, or a request to the service (`read`
   * or `write`). `print` is when the run prints its receipt, `seen` is when the test receives the first byte of the
   * receipt, and `exit` is when the process exits.
   */
  readonly at: 'record' | 'ledger' | 'read' | 'write' | 'print' | 'seen' | 'exit'
  /** The step's sequence number among the run's steps of this kind, starting at 1. */
  readonly number: number
  /** Whether the fault occurs before, in the middle of (`half`) or after the step. */
  readonly when: 'before' | 'half' | 'after'
}

/** A fault to inject into a run and the step at which to inject it. */
export interface Blow extends Step {
  /** `kill` sends SIGKILL to the run. `lose` resets the connection, so that the run receives no response. */
  readonly how: 'kill' | 'lose'
  /** When the service receives a write whose connection the fault has reset. */
  readonly arrival: Arrival
}

const BOTH = ['before', 'after'] as const

function blows(how: Blow['how'], at: Blow['at'], count: number): Blow[] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((number) =>
    BOTH.map((when) => ({ how, at, number, when, arrival: 'never' as const })),
  )
}

/** Returns the faults to inject before or after the service performs a write. */
function blowsOnWrite(how: Blow['how']): Blow[] {
  const before = ARRIVALS.map((arrival) => ({ how, at: 'write', number: 1, when: 'before', arrival }) as const)
  return [...before, { how, at: 'write', number: 1, when: 'after', arrival: 'never' }]
}

const atEnd = (at: Blow['at'], when: Blow['when']): Blow => ({ how: 'kill', at, number: 1, when, arrival: 'never' })

/** All faults. A run may end before the step at which its fault would be injected. */
export const BLOWS: readonly Blow[] = [
  ...blows('kill', 'ledger', 4),
  ...blowsOnWrite('kill'),
  ...blowsOnWrite('lose'),
  ...blows('kill', 'record', 6),
  ...blows('kill', 'read', 2),
  ...[atEnd('print', 'before'), atEnd('print', 'half'), atEnd('print', 'after'), atEnd('seen', 'after')],
  atEnd('exit', 'before'),
  ...blows('lose', 'read', 2),
  ...blows('lose', 'ledger', 3),
]

/** Picks a random fault. Faults at a write are picked more often, because they matter most. */
export function pickBlow(random: Chance): Blow {
  return random.happens(0.35) ? random.pick(BLOWS.filter(({ at }) => at === 'write')) : random.pick(BLOWS)
}

export function describeBlow({ how, at, number, when, arrival }: Blow): string {
  const held = at === 'write' && when === 'before' ? `, which arrives ${arrival}` : ''
  return `${how} ${when} ${at} ${number}${held}`
}

export function findBlow(description: string): Blow {
  const found = BLOWS.find((blow) => describeBlow(blow) === description)
  if (!found) throw new Error(`there is no fault '${description}'`)
  return found
}

/** Returns whether {@link KILLER} injects this fault. The test injects all other faults from outside the process. */
export function isOwnKill({ at }: Blow): boolean {
  return at === 'record' || at === 'print' || at === 'exit'
}

/**
 * A preloaded script that kills partner at a step that only the process itself can observe: a commit to the record, a
 * write to stdout, or its exit.
 */
export const KILLER = `
const { DatabaseSync } = require('node:sqlite')
const { KILL_AT: at, KILL_NUMBER: number, KILL_WHEN: when } = process.env
const counts = { record: 0, print: 0 }
const die = () => process.kill(process.pid, 'SIGKILL')
const step = (name, work, half) => {
  if (name !== at || ++counts[name] !== Number(number)) return work()
  if (when === 'before') die()
  if (when === 'half') {
    half()
    die()
  }
  const result = work()
  die()
  return result
}
const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function (sql) {
  const run = () => exec.call(this, sql)
  return sql === 'COMMIT' && this.location()?.includes('operations.db') ? step('record', run) : run()
}
const { stdout } = process
const write = stdout.write.bind(stdout)
stdout.write = (text, ...rest) =>
  text.length === 0
    ? write(text, ...rest)
    : step('print', () => write(text, ...rest), () => write(text.slice(0, text.length >> 1)))
if (at === 'exit') process.on('exit', die)
`

/** Returns the environment variables that {@link KILLER} reads. */
export function killerVariables({ at, number, when }: Blow) {
  return { KILL_AT: at, KILL_NUMBER: String(number), KILL_WHEN: when }
}
