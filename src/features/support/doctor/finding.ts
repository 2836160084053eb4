import { type Failure, joinSaid } from '../../../base/failure/failure.ts'
import type { DoctorRow } from '../output.ts'

/** A row, as a section of the doctor finds it. */
export interface Finding extends DoctorRow {
  /** The row whose failure kept this one from being looked at; null: none did. */
  readonly because: string | null
}

/** All is well. */
export function ok(name: string, message: string): Finding {
  return { name, status: 'ok', message, next: null, because: null }
}

/** It works, and somebody should look at it. */
export function warn(name: string, message: string, next: string | null): Finding {
  return { name, status: 'warn', message, next, because: null }
}

/** It does not work, or is dangerous as it is. */
export function fail(name: string, message: string, next: string | null): Finding {
  return { name, status: 'fail', message, next, because: null }
}

/** It does not apply here. What needs it goes on. */
export function skip(name: string, message: string): Finding {
  return { name, status: 'skip', message, next: null, because: null }
}

/** It could not be looked at, because another row failed. */
export function skipAfter(name: string, cause: string): Finding {
  return { name, status: 'skip', message: `not looked at: ${cause} failed`, next: null, because: cause }
}

/** What a failure says, as one line. */
export function failureLine({ words, said, lines }: Failure): string {
  const whole = joinSaid(words, said[0])
  return lines.length > 0 ? `${whole} ${lines.join('; ')}` : whole
}
