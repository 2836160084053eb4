import { formatDuration } from '../../../../base/time/duration.ts'
import { parseHttpDate } from '../../../../http/client/retry.ts'
import type { Examination } from '../examination.ts'
import { type Finding, fail, ok, skip, skipAfter, warn } from '../finding.ts'
import type { Heard } from './heard.ts'

/** Further off than this, windows and tokens no longer fit. Milliseconds. */
const MOST_MS = 5 * 60_000
/** The header counts whole seconds, and the answer takes its time. Milliseconds. */
const HARMLESS_MS = 30_000

interface Compared {
  readonly given: Examination
  readonly isInside: boolean
  /** The row that failed, where that leaves nothing to compare with. */
  readonly cause: string | null
}

/** Compares the clock of this machine with the `Date` of an answer, even when the answer is an error. */
export function clockRow(name: string, heard: Heard, { isInside, cause }: Compared): Finding {
  const dated = parseHttpDate(heard.headers['date'] ?? '')
  if (dated === null)
    return cause === null ? skip(name, 'the answer has no Date to compare the clock with') : skipAfter(name, cause)
  // What a cache kept is as old as it says.
  const age = /^\d{1,9}$/.test(heard.headers['age'] ?? '') ? Number(heard.headers['age']) * 1000 : 0
  const offMs = heard.atMs - (dated + age)
  const off = formatDuration(Math.abs(offMs))
  const way = offMs > 0 ? 'ahead of' : 'behind'
  if (Math.abs(offMs) <= HARMLESS_MS) return ok(name, `within ${formatDuration(HARMLESS_MS)} of the service's clock`)
  if (isInside)
    return judged(offMs)(
      name,
      `the sandbox has a clock of its own, and this machine's is ${off} ${way} it`,
      'partner sandbox clock',
    )
  return judged(offMs)(
    name,
    `the clock of this machine is ${off} ${way} the service's: changes are then looked for in the wrong window`,
    process.platform === 'linux' ? 'timedatectl status' : 'date -u',
  )
}

function judged(offMs: number): typeof fail {
  return Math.abs(offMs) > MOST_MS ? fail : warn
}
