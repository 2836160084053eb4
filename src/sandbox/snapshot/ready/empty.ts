import type { ReadySnapshot } from './ready-snapshot.ts'

/** Nothing but the venue, which is open. */
export const empty: ReadySnapshot = {
  name: 'empty',
  about: 'the venue, open, without bookings, customers, cards or sales',
  clock: '2026-12-01T00:00:00.000Z',
  fill: () => undefined,
}
