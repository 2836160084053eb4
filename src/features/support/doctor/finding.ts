import { type Failure, joinSaid } from '../../../base/failure/failure.ts'
import { skipMessage } from '../../shared/doctor-skip.ts'
import type { DoctorRow } from '../output.ts'

/** A row of the doctor's report, as yielded by a section. */
export interface Finding extends DoctorRow {
  /** The name of the failed row that caused this check to be skipped. */
  readonly because?: string
}

const findingOf =
  (status: Finding['status']) =>
  (name: string, message: string, next: string | null = null): Finding => ({ name, status, message, next })

/** Returns a row for a check that passed. */
export const ok = findingOf('ok')

/** Returns a row for a check that found something that works but needs attention. */
export const warn = findingOf('warn')

/** Returns a row for a check that found something broken or dangerous. */
export const fail = findingOf('fail')

/** Returns a row for a check that does not apply. Checks that depend on it still run. */
export const skip = findingOf('skip')

/** Returns a row for a check that is skipped because another row failed. */
export function skipAfter(name: string, cause: string): Finding {
  return { ...skip(name, skipMessage(cause)), because: cause }
}

/** Returns a failure's message on one line. */
export function failureLine({ words, said, lines }: Failure): string {
  const whole = joinSaid(words, said[0])
  return lines.length > 0 ? `${whole} ${lines.join('; ')}` : whole
}
