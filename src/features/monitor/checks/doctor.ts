import type { Failure } from '../../../base/failure/failure.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import type { DoctorCheck } from '../../../monitor/file/monitor-file.ts'
import type { Finding } from '../../../monitor/state/machine.ts'
import { skipCause } from '../../shared/doctor-skip.ts'
import { type CheckContext, commandLine, ok, unknown, wrong } from './context.ts'
import { failureLine, runPartner } from './run-command.ts'

interface Row {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail' | 'skip'
  readonly message: string
  readonly next: string | null
}

/** The maximum number of passing rows that a finding quotes. */
const MOST_NAMED = 3

type Examined = { readonly rows: readonly Row[]; readonly failure: Failure | null }

/** The time after a doctor run starts during which other checks can join it, in milliseconds. */
const SHARED_MS = 1000

interface SharedRun {
  readonly beganMs: number
  readonly examined: Promise<Examined>
  /** Aborts the run once every check that shares it has been aborted, because each check has its own time limit. */
  readonly ending: AbortController
  checks: number
}

/** Runs the doctor for the checks of each venue. Checks that are due at the same time share one run. */
export class Doctors {
  readonly #running = new Map<string | null, SharedRun>()

  /** Runs the doctor and evaluates the rows that the check names. Throws Interrupted. */
  async check(check: DoctorCheck, context: CheckContext): Promise<Finding> {
    const { rows, failure } = await this.#examine(context)
    const next = commandLine(['doctor'], context.venue)
    if (failure !== null && rows.length === 0) return unknown(failureLine(failure), next)
    return judgeRows(check, rows, next)
  }

  #examine(context: CheckContext): Promise<Examined> {
    const { signal } = context
    signal.throwIfAborted()
    const run = this.#sharedRun(context)
    run.checks++
    const leave = () => {
      run.checks--
      if (run.checks === 0) run.ending.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    return run.examined
  }

  #sharedRun(context: CheckContext): SharedRun {
    const { profile } = context.venue
    const last = this.#running.get(profile)
    if (last && !last.ending.signal.aborted && monotonicMs() - last.beganMs < SHARED_MS) return last
    const ending = new AbortController()
    const beganMs = monotonicMs()
    const examined = runPartner('doctor', {}, { ...context, signal: ending.signal }).then(({ value, failure }) => ({
      rows: (value as { readonly rows?: readonly Row[] } | null)?.rows ?? [],
      failure,
    }))
    const run = { beganMs, examined, ending, checks: 0 }
    this.#running.set(profile, run)
    return run
  }
}

/** Returns the finding for a check's rows. A row that was skipped because of a failed row counts as that failure. */
export function judgeRows({ rows: names, warnings }: DoctorCheck, rows: readonly Row[], next: string): Finding {
  // The doctor may print several rows with the same name, and rows whose name includes an argument, such as `sync
  // venue.db`.
  const named = rows.filter(
    ({ name }) => names === null || names.some((one) => name === one || name.startsWith(`${one} `)),
  )
  const causeOf = (row: Row): Row | undefined => {
    if (row.status === 'fail') return row
    if (warnings && row.status === 'warn') return row
    const cause = row.status === 'skip' ? skipCause(row.message) : null
    return cause === null ? undefined : (rows.find(({ name, status }) => name === cause && status === 'fail') ?? row)
  }
  const bad = [...new Set(named.flatMap((row) => causeOf(row) ?? []))]
  const [first] = bad
  const words = (all: readonly Row[]) => all.map(({ name, message }) => `${name}: ${message}`).join('; ')
  // Use the doctor's advice only if it is a command.
  if (first !== undefined) return wrong(words(bad), first.next?.startsWith('partner ') ? first.next : next)
  if (named.length > MOST_NAMED) return ok(`none of the ${named.length} rows failed`)
  return ok(words(named) || 'does not apply')
}
