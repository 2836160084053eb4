import { type Failure, joinSaid } from '../../../base/failure/failure.ts'
import type { DoctorRow } from '../output.ts'

/** A row that a section yields. */
export interface Finding extends DoctorRow {
  /** The name of the row whose failure made this check impossible. */
  readonly because?: string
}

const findingOf =
  (status: Finding['status']) =>
  (name: string, message: string, next: string | null = null): Finding => ({ name, status, message, next })

/** Returns the row of a check that passed. */
export const ok = findingOf('ok')

/** Returns the row of a check that found something working but in need of attention. */
export const warn = findingOf('warn')

/** Returns the row of a check that found something broken or dangerous. */
export const fail = findingOf('fail')

/** Returns the row of a check that does not apply. Checks that depend on it still run. */
export const skip = findingOf('skip')

/** Returns the row of a check that was impossible because another row failed. */
export function skipAfter(name: string, cause: string): Finding {
  return { ...skip(name, `not checked: ${cause} failed`), because: cause }
}

/** Returns the message of a failure on one line. */
export function failureLine({ words, said, lines }: Failure): string {
  const whole = joinSaid(words, said[0])
  return lines.length > 0 ? `${whole} ${lines.join('; ')}` : whole
}
