import type { Chance } from '../chance.ts'
import { ARRIVALS, type Arrival } from './service-line.ts'

/** A step of a run where a test can disturb it. */
export interface Step {
  /**
   * `record`: a commit to the host's own record. `ledger`: a message to the ledger. `read`, `write`: a request to the
   * service. `print`: writing the receipt to stdout. `seen`: the test receives its first byte. `exit`: the process
   * exits.
   */
  readonly at: 'record' | 'ledger' | 'read' | 'write' | 'print' | 'seen' | 'exit'
  /** The step's sequence number among the run's steps of this kind, starting at 1. */
  readonly number: number
  /** `half` means in the middle of the step. */
  readonly when: 'before' | 'half' | 'after'
}

/** A fault to inject at a step of a run. */
export interface Blow extends Step {
  /** `kill` sends SIGKILL. `lose` resets the connection, so that the run does not receive a response. */
  readonly how: 'kill' | 'lose'
  /** When the service receives the write that the blow intercepted. */
  readonly arrival: Arrival
}

const BOTH = ['before', 'after'] as const

function blows(how: Blow['how'], at: Blow['at'], count: number): Blow[] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((number) =>
    BOTH.map((when) => ({ how, at, number, when, arrival: 'never' as const })),
  )
}

/** Returns the blows that strike before or after the service performs a write. */
function blowsOnWrite(how: Blow['how']): Blow[] {
  const before = ARRIVALS.map((arrival) => ({ how, at: 'write', number: 1, when: 'before', arrival }) as const)
  return [...before, { how, at: 'write', number: 1, when: 'after', arrival: 'never' }]
}

const atEnd = (at: Blow['at'], when: Blow['when']): Blow => ({ how: 'kill', at, number: 1, when, arrival: 'never' })

/** All blows. A run may end before it reaches the step of its blow. */
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

/** Picks a random blow. Blows on a write are picked more often, because they matter most. */
export function pickBlow(random: Chance): Blow {
  return random.happens(0.35) ? random.pick(BLOWS.filter(({ at }) => at === 'write')) : random.pick(BLOWS)
}

export function describeBlow({ how, at, number, when, arrival }: Blow): string {
  const held = at === 'write' && when === 'before' ? `, which arrives ${arrival}` : ''
  return `${how} ${when} ${at} ${number}${held}`
}

/** Returns the blow with this description. */
export function findBlow(description: string): Blow {
  const found = BLOWS.find((blow) => describeBlow(blow) === description)
  if (!found) throw new Error(`there is no blow '${description}'`)
  return found
}

/** Returns whether the process kills itself at this step using {@link KILLER}. */
export function isOwnKill({ at }: Blow): boolean {
  return at === 'record' || at === 'print' || at === 'exit'
}

/**
 * A preloaded script that kills partner at a step that is not visible from outside: before, during or after a commit to
 * the record or a write to stdout, or immediately before it exits.
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

/** Returns the environment variables for {@link KILLER}. */
export function killerVariables({ at, number, when }: Blow) {
  return { KILL_AT: at, KILL_NUMBER: String(number), KILL_WHEN: when }
}
