import { beforeEach, type TestContext } from 'vitest'

/** A requirement of some tests, which are skipped on machines that do not meet it. */
export interface Need {
  readonly isMet: boolean
  /** Why tests are skipped, such as `openssl is not installed`. The last lines of a test run list these reasons. */
  readonly lack: string
}

/**
 * Returns whether PARTNER_TEST_REQUIRES contains the given name. In CI, it is a list such as `postgres,zsh,fish`. Tests
 * fail instead of being skipped if a listed requirement is not met.
 */
export function isRequired(name: string): boolean {
  return (process.env['PARTNER_TEST_REQUIRES'] ?? '').split(',').includes(name)
}

/** The requirement that the tests do not run as root, which can read and write files regardless of their mode. */
export const NOT_ROOT: Need = { isMet: process.getuid?.() !== 0, lack: 'the tests run as root' }

/** The requirement that the clock is real. Some programs ignore the clock that scripts/clock/test-at.sh shifts. */
export const REAL_CLOCK: Need = { isMet: process.env['FAKETIME'] === undefined, lack: 'the clock is shifted' }

/** Skips the tests in the current `describe` unless the requirement is met. */
export const needs = ({ isMet, lack }: Need): void =>
  // If tests have fixtures, vitest requires their hooks to destructure the context.
  beforeEach(({ skip }) => skip(!isMet, lack))

/** Skips the current test unless the requirement is met. */
export const skipWithout = ({ skip }: TestContext, { isMet, lack }: Need): void => skip(!isMet, lack)
