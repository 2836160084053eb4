import { beforeEach, type TestContext } from 'vitest'

/** Something that not every machine has, and without which a test stands back. */
export interface Need {
  readonly isMet: boolean
  /** What is missing, as the last lines of a test run say it: `openssl is not installed`. */
  readonly lack: string
}

/** Whether PARTNER_TEST_REQUIRES names it, as in CI (`postgres,zsh,fish`): without it, tests fail in place of standing back. */
export function isRequired(name: string): boolean {
  return (process.env['PARTNER_TEST_REQUIRES'] ?? '').split(',').includes(name)
}

/** Root reads and writes whatever the mode of a file forbids. */
export const NOT_ROOT: Need = { isMet: process.getuid?.() !== 0, lack: 'root may do what others may not' }

/** What runs without the variables of scripts/clock/test-at.sh has the real time, and sees the others' clocks differ. */
export const REAL_CLOCK: Need = { isMet: process.env['FAKETIME'] === undefined, lack: 'the clock is moved' }

/** The tests of this `describe` stand back where the need is not met. */
export const needs = (need: Need): void => beforeEach((context) => standBackWithout(context, need))

/** This test stands back where the need is not met. */
export const standBackWithout = ({ skip }: TestContext, { isMet, lack }: Need): void => skip(!isMet, lack)
