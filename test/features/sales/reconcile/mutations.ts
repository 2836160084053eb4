import { KINDS, type Kind } from '../../../../src/features/sales/reconcile/ledger.ts'
import type { Chance } from '../../../money/chance.ts'

/** A sale in the records of the POS or the service. Amounts are in whole cents. */
export interface Sale {
  saleId: string
  cents: number
  taxCents: number
  bookingId: string | null
  table: string | null
  closedMs: number
  type: 'SALE' | 'REFUND'
  parent: string | null
}

/** A difference that a mutation causes. The report must contain it. */
export interface Expected {
  readonly kind: Kind
  readonly saleId: string
  readonly cents: number
  /** A string that the detail of the difference must contain. `null` if the detail does not matter. */
  readonly says: string | null
}

/**
 * One day's closings at the POS, the service's records of those sales, and the differences that the report must
 * contain.
 */
export interface History {
  readonly pos: Sale[]
  readonly service: Sale[]
  readonly expected: Expected[]
  /**
   * Sales that, according to the POS or the service, were not closed on the reported day. The report must omit them.
   */
  readonly others: { readonly pos: Sale[]; readonly service: Sale[] }
}

/** 2026-11-20 at noon in Sydney. */
export const NOON = Date.UTC(2026, 10, 20, 1)
const HOUR = 3_600_000

/**
 * Changes a sale in the records of the POS or the service. Returns false if the mutation is impossible for that sale.
 */
type Mutation = (at: { history: History; sale: Sale; record: Sale; chance: Chance }) => boolean

/** Mutations that change a sale in the service's records. A sale can undergo several of them. */
const CHANGES: Readonly<Record<'total' | 'unlinked' | 'booking' | 'day', Mutation>> = {
  total: ({ history, sale, record, chance }) => {
    const [cents, says] = chance.pick([
      [sale.cents * 100, 'too high by a factor of 100'],
      [sale.cents / 100, 'too low by a factor of 100'],
      [sale.cents - sale.taxCents, 'excludes the tax'],
      [sale.cents + sale.taxCents, 'includes the tax'],
      [sale.cents + chance.pick([-1, 1, 37, -250]), null],
    ] as const)
    if (!Number.isInteger(cents) || cents === sale.cents) return false
    record.cents = cents
    history.expected.push({ kind: 'total', saleId: sale.saleId, cents: sale.cents - cents, says })
    return true
  },
  unlinked: ({ history, sale, record }) => {
    if (sale.bookingId === null || record.bookingId !== sale.bookingId) return false
    record.bookingId = null
    history.expected.push({ kind: 'unlinked', saleId: sale.saleId, cents: 0, says: sale.bookingId })
    return true
  },
  booking: ({ history, sale, record }) => {
    if (sale.bookingId === null || record.bookingId !== sale.bookingId) return false
    record.bookingId = `${sale.bookingId}-other`
    history.expected.push({ kind: 'booking', saleId: sale.saleId, cents: 0, says: record.bookingId })
    return true
  },
  day: ({ history, sale, record }) => {
    // Add the offset between Sydney and UTC. This moves sales that were closed at 13:00 or later to the next day.
    record.closedMs += 11 * HOUR
    if (sale.closedMs < NOON + HOUR) return true
    history.expected.push({ kind: 'day', saleId: sale.saleId, cents: 0, says: 'sent as UTC' })
    return true
  },
}

/** Mutations that remove or duplicate a sale. A sale undergoes at most one of them. */
const NUMBERS: Readonly<Record<'missing' | 'doubled' | 'doubled-at-pos', Mutation>> = {
  missing: ({ history, sale, record }) => {
    history.service.splice(history.service.indexOf(record), 1)
    history.expected.splice(
      0,
      history.expected.length,
      ...history.expected.filter(({ kind, saleId }) => saleId !== sale.saleId || kind === 'orphan-refund'),
      { kind: 'missing', saleId: sale.saleId, cents: sale.cents, says: null },
    )
    return true
  },
  doubled: ({ history, sale, record, chance }) => {
    const isElsewhere = chance.happens(0.5) && record.bookingId === sale.bookingId
    const copies = chance.integer(1, 2)
    for (let copy = 0; copy < copies; copy++) {
      const bookingId = isElsewhere ? `BK-twice-${copy}` : record.bookingId
      history.service.splice(chance.integer(0, history.service.length), 0, { ...record, bookingId })
    }
    const says = copies === 1 ? 'twice' : '3 times'
    history.expected.push({ kind: 'doubled', saleId: sale.saleId, cents: -copies * record.cents, says })
    return true
  },
  'doubled-at-pos': ({ history, sale }) => {
    history.pos.push({ ...sale })
    history.expected.push({ kind: 'doubled', saleId: sale.saleId, cents: sale.cents, says: 'doubled at the POS' })
    return true
  },
}

/** Generates a day of sales at the POS and mutates the service's records of them at random. */
export function play(chance: Chance): History {
  const history: History = { pos: [], service: [], expected: [], others: { pos: [], service: [] } }
  const count = chance.integer(0, 9)
  for (let at = 0; at < count; at++) history.pos.push(saleOf(`S-${at}`, history.pos, chance))
  history.service.push(...history.pos.map((sale) => ({ ...sale })))
  for (const [at, sale] of [...history.pos].entries()) {
    const { saleId, parent } = sale
    if (sale.type === 'REFUND' && parent?.startsWith('S-') !== true)
      history.expected.push({ kind: 'orphan-refund', saleId, cents: 0, says: parent ?? 'names no sale' })
    if (chance.happens(0.4)) continue
    const record = history.service.find(({ saleId }) => saleId === `S-${at}`)
    if (record === undefined) continue
    for (const change of Object.values(CHANGES)) if (chance.happens(0.25)) change({ history, sale, record, chance })
    if (chance.happens(0.4))
      NUMBERS[chance.pick(['missing', 'doubled', 'doubled-at-pos'] as const)]({ history, sale, record, chance })
  }
  for (let at = chance.integer(0, 2); at > 0; at--) {
    const sale = { ...saleOf(`X-${at}`, [], chance), type: 'SALE' as const }
    const cents = Math.abs(sale.cents)
    history.service.splice(chance.integer(0, history.service.length), 0, { ...sale, cents })
    history.expected.push({ kind: 'extra', saleId: sale.saleId, cents: -cents, says: null })
  }
  for (let at = chance.integer(0, 3); at > 0; at--) {
    const sale = saleOf(`O-${at}`, [], chance)
    sale.closedMs += chance.pick([-30, 24]) * HOUR
    const where = chance.pick(['both', 'pos', 'service'] as const)
    if (where !== 'service') history.others.pos.push(sale)
    if (where !== 'pos') history.others.service.push(sale)
  }
  return history
}

function saleOf(saleId: string, before: readonly Sale[], chance: Chance): Sale {
  const isRefund = chance.happens(0.15)
  const cents = chance.pick([chance.integer(1, 99), chance.integer(100, 99_999), 100 * chance.integer(1, 500)])
  const parents = before.filter(({ type }) => type === 'SALE').map((one) => one.saleId)
  return {
    saleId,
    cents: isRefund ? -cents : cents,
    taxCents: (isRefund ? -1 : 1) * Math.round(cents / 11),
    bookingId: chance.happens(0.7) ? `BK-${chance.integer(1, 40)}` : null,
    table: null,
    closedMs: NOON + chance.integer(0, 11 * 60) * 60_000,
    type: isRefund ? 'REFUND' : 'SALE',
    parent: isRefund ? chance.pick([null, 'GONE-1', ...parents, ...parents]) : null,
  }
}

/** Sorts differences into the order used in a report. */
export function inOrder<T extends { readonly kind: string; readonly saleId: string | null }>(all: readonly T[]): T[] {
  const rank = (one: T) => `${KINDS.indexOf(one.kind as Kind)} ${one.saleId}`
  return [...all].sort((one, other) => (rank(one) < rank(other) ? -1 : 1))
}
