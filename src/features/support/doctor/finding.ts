import { type Failure, joinSaid } from '../../../base/failure/failure.ts'
import type { DoctorRow } from '../output.ts'

/** A row, as a section of the doctor finds it. */
export interface Finding extends DoctorRow {
  /** The row whose failure kept this one from being looked at; null: none did. */
  readonly because: string | null
}

const findingOf =
  (status: Finding['status']) =>
  (name: string, message: string, next: string | null = null): Finding => ({
    ...{ name, status, message, next, because: null },
  })

/** All is well. */
export const ok = findingOf('ok')

/** It works, and somebody should look at it. */
export const warn = findingOf('warn')

/** It does not work, or is dangerous as it is. */
export const fail = findingOf('fail')

/** It does not apply here. What needs it goes on. */
export const skip = findingOf('skip')

/** It could not be looked at, because another row failed. */
export function skipAfter(name: string, cause: string): Finding {
  return { ...skip(name, `not looked at: ${cause} failed`), because: cause }
}

/** What a failure says, as one line. */
export function failureLine({ words, said, lines }: Failure): string {
  const whole = joinSaid(words, said[0])
  return lines.length > 0 ? `${whole} ${lines.join('; ')}` : whole
}
