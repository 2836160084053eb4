import { booking } from '../../contract/bookings/booking.ts'
import { count, instant, instantOrNull, status, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

/** A planned or completed change to one subscription. */
export const change = own((z) => ({
  event: z.string(),
  action: z.enum(['create', 'update', 'rotate', 'delete', 'unchanged']),
  presentUrl: textOrNull(z),
  webhookUrl: textOrNull(z),
  credentials: z.enum(['sent', 'kept', 'none']),
  outcome: z.string(),
  status: status(z),
  message: textOrNull(z),
  hint: textOrNull(z),
}))

export const gap = own((z) => ({
  class: z.enum(['missing', 'extra', 'late', 'duplicate']),
  event: z.string(),
  subject: z.string(),
  changedAfter: instantOrNull(z),
  changed: instantOrNull(z),
  delivered: instantOrNull(z),
  lateSeconds: z.int().nullable(),
  line: z.int().nullable(),
  repaired: z.boolean().nullable(),
  answer: z.union([z.int(), z.string()]).nullable(),
}))

/** How many deliveries of one event were missing, extra, late or duplicate within one hour. */
export const gapHour = own((z) => ({
  hour: instant(z),
  event: z.string(),
  changes: count(z),
  deliveries: count(z),
  missing: count(z),
  extra: count(z),
  late: count(z),
  duplicate: count(z),
}))

export const inboxRow = own((z) => ({
  id: count(z),
  state: z.enum(['waiting', 'leased', 'done', 'dead']),
  event: textOrNull(z),
  subject: textOrNull(z),
  locationId: textOrNull(z),
  receivedAt: instant(z),
  lastReceivedAt: instantOrNull(z),
  times: count(z),
  verdict: textOrNull(z),
  attempts: count(z),
  lastError: textOrNull(z),
  nextAt: instantOrNull(z),
  worker: textOrNull(z),
  leaseUntil: instantOrNull(z),
  doneAt: instantOrNull(z),
}))

export const worked = own((z) => ({
  id: count(z),
  event: textOrNull(z),
  subject: textOrNull(z),
  locationId: textOrNull(z),
  receivedAt: instantOrNull(z),
  times: count(z),
  attempt: count(z),
  outcome: z.string(),
  ms: z.number(),
  error: textOrNull(z),
  nextAt: instantOrNull(z),
}))

export const replayed = own((z) => ({
  line: count(z),
  time: instant(z),
  event: textOrNull(z),
  subject: textOrNull(z),
  status: status(z),
  error: textOrNull(z),
  ms: z.number().nullable(),
}))

export const triggered = own((z) => ({
  event: textOrNull(z),
  subject: textOrNull(z),
  url: z.string(),
  status: z.int(),
  ms: z.number(),
}))

export const check = own((z) => ({
  check: z.string(),
  result: z.enum(['ok', 'fail', 'skipped']),
  good: z.string(),
  yours: z.string(),
  ms: z.number(),
}))

export const knownCheck = own((z) => ({ check: z.string(), good: z.string() }))

/** A delivery that the listener received. With --fetch, `fetched` contains the current booking or card. */
export const received = own((z) => ({
  time: instant(z),
  verdict: z.string(),
  status: z.int(),
  ms: z.number(),
  event: textOrNull(z),
  subject: textOrNull(z),
  locationId: textOrNull(z),
  delivery: z.unknown().describe('the event as it was delivered'),
  fetched: booking(z).nullish().describe('the booking or gift card as it is now'),
}))
