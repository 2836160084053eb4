import { SETTLING_MS } from '../operations/settling.ts'
import type { DailyCap } from '../orders/cap.ts'
import { HANDLE_PREFIX } from '../orders/order.ts'
import { LEDGER, NOW, quoted } from './schema.ts'

/** Matches the amounts that can be converted to a number. */
const AMOUNT = quoted('^-?[0-9]{1,15}([.][0-9]+)?$')

/**
 * Returns a statement that locks a service against orders of other machines until the transaction ends, so that each
 * machine sees the claims of the others. The lock is also released if the connection is lost.
 */
export function lockForCap(service: string): string {
  return `SELECT pg_advisory_xact_lock(hashtext('${LEDGER} cap'), hashtext(${quoted(service)}))`
}

/**
 * Returns an expression for the cents that all orders except `key` moved today, in the venue's time zone. Counts by the
 * same rules as `sumOfDay` does for one machine.
 */
export function movedToday(service: string, key: string, zone: string | null): string {
  const venue = quoted(zone ?? 'UTC')
  const midnight = `(extract(epoch FROM date_trunc('day', clock_timestamp() AT TIME ZONE ${venue}) AT TIME ZONE ${venue}) * 1000)::bigint`
  const wasNeverSent = `o.state = 'open' AND o.phase = 'claimed' AND o.claimed_ms + o.attempt_ms + ${SETTLING_MS} < ${NOW}`
  const amount = `CASE WHEN k.amount ~ ${AMOUNT} THEN ceil(abs(k.amount::numeric) * 100) END`
  return `(SELECT coalesce(sum(coalesce(k.counted, ${amount}, 0)), 0)::bigint FROM ${LEDGER}.keys k
    WHERE k.service = ${quoted(service)} AND left(k.key, ${HANDLE_PREFIX.length}) = ${quoted(HANDLE_PREFIX)}
      AND k.key <> ${quoted(key)} AND k.started_ms >= ${midnight} AND (k.state = 'done' OR (k.state = 'open'
      AND EXISTS (SELECT FROM ${LEDGER}.operations o WHERE o.id = k.operation AND NOT (${wasNeverSent})))))`
}

/** Returns an `AND` clause that is true if an order stays within the cap, or '' without a cap. */
export function checkUnderCap(service: string, key: string, { counted, perDay, zone }: DailyCap): string {
  if (perDay === null) return ''
  return `AND ${movedToday(service, key, zone)} + ${quoted(counted)} <= ${quoted(perDay)}`
}
