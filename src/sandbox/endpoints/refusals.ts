import type { DocumentedFailure, Endpoint } from '../../contract/endpoint.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'

/** The values of the `{placeholders}` in a message. */
export type PlaceholderValues = Readonly<Record<string, string | number>>

/** The messages for each invalid member of a request, as in the validation variant of Problem details. */
export type Complaints = Readonly<Record<string, readonly string[]>>

/** A documented failure of a request. When a handler throws it, the handler's changes are rolled back. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly failure: DocumentedFailure
  readonly values: PlaceholderValues

  constructor(failure: DocumentedFailure, values: PlaceholderValues = {}) {
    super(failure.message)
    this.failure = failure
    this.values = values
  }
}

/**
 * The error for a malformed request. The response has status 400 and the validation variant of Problem details. Source:
 * "Body shapes".
 */
export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly complaints: Complaints

  constructor(complaints: Complaints) {
    super('One or more validation errors occurred.')
    this.complaints = complaints
  }
}

/** Finds a failure by name, first among the endpoint's own failures and then among those that all endpoints share. */
export function findFailure(endpoint: Endpoint, name: string): DocumentedFailure | undefined {
  if (Object.hasOwn(endpoint.failures, name)) return endpoint.failures[name]
  return Object.hasOwn(COMMON_FAILURES, name) ? COMMON_FAILURES[name as keyof typeof COMMON_FAILURES] : undefined
}
