import { beforeEach, type TestContext } from 'vitest'

/** Something that a test requires but some machines lack. There, the test is skipped. */
export interface Need {
  readonly isMet: boolean
  /** The reason for skipping, printed in the last lines of a test run: `openssl is not installed`. */
  readonly lack: string
}

/**
 * Returns whether PARTNER_TEST_REQUIRES contains the name, as in CI (`postgres,zsh,fish`). Tests that lack something
 * required fail instead of being skipped.
 */
export function isRequired(name: string): boolean {
  return (process.env['PARTNER_TEST_REQUIRES'] ?? '').split(',').includes(name)
}

/** A user other than root, which may read and write files regardless of their mode. */
export const NOT_ROOT: Need = { isMet: process.getuid?.() !== 0, lack: 'the tests run as root' }

/** The real clock, for tests of programs that cannot see the clock shifted by scripts/clock/test-at.sh. */
export const REAL_CLOCK: Need = { isMet: process.env['FAKETIME'] === undefined, lack: 'the clock is shifted' }

/** Skips the tests of this `describe` unless the need is met. */
export const needs = (need: Need): void => beforeEach((context) => skipWithout(context, need))

/** Skips this test unless the need is met. */
export const skipWithout = ({ skip }: TestContext, { isMet, lack }: Need): void => skip(!isMet, lack)
