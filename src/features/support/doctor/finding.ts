import { type Failure, joinSaid } from '../../../base/failure/failure.ts'
import type { DoctorRow } from '../output.ts'

/** A row as a section yields it. */
export interface Finding extends DoctorRow {
  /** The row whose failure made this check impossible. */
  readonly because?: string
}

const findingOf =
  (status: Finding['status']) =>
  (name: string, message: string, next: string | null = null): Finding => ({ name, status, message, next })

/** A check that passed. */
export const ok = findingOf('ok')

/** Something that works but needs attention. */
export const warn = findingOf('warn')

/** Something that does not work, or is dangerous. */
export const fail = findingOf('fail')

/** A check that does not apply. Checks that need it still run. */
export const skip = findingOf('skip')

/** A check that was not possible because another row failed. */
export function skipAfter(name: string, cause: string): Finding {
  return { ...skip(name, `not looked at: ${cause} failed`), because: cause }
}

/** Returns the text of a failure on one line. */
export function failureLine({ words, said, lines }: Failure): string {
  const whole = joinSaid(words, said[0])
  return lines.length > 0 ? `${whole} ${lines.join('; ')}` : whole
}
