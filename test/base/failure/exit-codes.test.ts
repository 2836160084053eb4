import { expect, test } from 'vitest'
import { EXIT_CODES } from '../../../src/base/failure/exit-codes.ts'

test('each kind of failure has its documented exit code', () =>
  expect(EXIT_CODES).toEqual({
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
  }))
