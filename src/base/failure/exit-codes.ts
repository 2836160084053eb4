/** The exit code for each kind of failure. Source: the contract of the command line, "Exit codes". */
export const EXIT_CODES = {
  INTERNAL: 1,
  USAGE: 2,
  NOT_FOUND: 3,
  NO_PROFILE: 4,
  UNAUTHORIZED: 4,
  UNKNOWN_APP: 4,
  VENUE_NOT_LINKED: 4,
  REJECTED: 5,
  SIGNATURE_MISMATCH: 5,
  CONFLICT: 6,
  RATE_LIMITED: 7,
  SERVICE_ERROR: 8,
  NETWORK_ERROR: 8,
  TIMEOUT: 8,
  OUTCOME_UNKNOWN: 9,
  BUSINESS_FAILURE: 10,
  PARTIAL_FAILURE: 11,
  LOCKED: 12,
  INCOMPLETE: 13,
  INTERRUPTED: 130,
} as const

/** The name of a kind of failure. Scripts find it in `error.code`. */
export type FailureCode = keyof typeof EXIT_CODES
