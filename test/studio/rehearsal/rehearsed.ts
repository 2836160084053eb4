import { onTestFinished } from 'vitest'
import { SYDNEY } from '../../../src/sandbox/venue/zone.ts'
import { findDay } from '../../../src/studio/rehearsal/day.ts'
import { openRehearsal, type Rehearsal, type RehearsalOptions } from '../../../src/studio/rehearsal/rehearsal.ts'

/**
 * The day that the tests rehearse, and the hash of its journal. Update the hash when you change the day's events or the
 * service's responses.
 */
export const GOLDEN = {
  date: '2026-12-18',
  seed: 7,
  journalHash: '463560bb302dde8b236edfbe36a12143ca9085234dcd93d378e1111a4247f494',
} as const

/** Opens a rehearsal of a day for one test. By default, it runs at full speed. */
export async function openTestRehearsal(date: string, seed: number, options: Partial<RehearsalOptions> = {}) {
  const rehearsal = await opened(date, seed, options)
  onTestFinished(() => rehearsal.close())
  return rehearsal
}

export async function playDay(date: string, seed: number, options: Partial<RehearsalOptions> = {}): Promise<Rehearsal> {
  const rehearsal = await openTestRehearsal(date, seed, options)
  await rehearsal.play()
  return rehearsal
}

/** Rehearses a day and returns the venue's data before and after it. */
export async function readVenueDataAroundDay(date: string, seed: number) {
  const rehearsal = await opened(date, seed)
  try {
    await rehearsal.play()
    return await rehearsal.truth()
  } finally {
    await rehearsal.close()
  }
}

function opened(date: string, seed: number, options: Partial<RehearsalOptions> = {}): Promise<Rehearsal> {
  const day = findDay(date, SYDNEY)
  if (day === null) throw new Error(`${date} is not a valid date`)
  return openRehearsal({
    ...{ day, seed, speed: 'max', data: ':memory:', port: 0, faults: 0, webhookFaults: 0, webhookUrl: null },
    signal: new AbortController().signal,
    onMoved: () => undefined,
    onUnexpected: (error) => {
      throw error
    },
    ...options,
  })
}
