import { createHash } from 'node:crypto'

/** An alert as it is sent to every destination. Times are in ISO 8601. */
export interface Alert {
  /** The alert's ID, which is the same in every delivery attempt. */
  readonly id: string
  /** The name of the check. */
  readonly check: string
  readonly change: 'began' | 'ended' | 'reminder' | 'test'
  /** When the fault was first seen. */
  readonly since: string
  /** When the alert was created. */
  readonly at: string
  /** The venue's profile, or `null` if no profile is used. */
  readonly profile: string | null
  readonly message: string
  /** A command that investigates the problem, or `null` if there is none. */
  readonly next: string | null
}

/** Returns an ID that is a hash of the parts. */
export function alertId(...parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** Formats an alert as one line of JSON, including the newline. */
export function alertLine({ id, check, change, since, at, profile, message, next }: Alert): string {
  return `${JSON.stringify({ id, check, change, since, at, profile, message, next })}\n`
}
