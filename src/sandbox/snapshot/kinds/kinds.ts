import { booking } from './bookings.ts'
import { card, redemption } from './cards.ts'
import { customer } from './customers.ts'
import { delivery, fault, subscription } from './hooks.ts'
import type { Kind } from './kind.ts'
import { sale } from './sales.ts'

/** The kinds of records, in the order of a file: what others speak of comes first. */
export const KINDS: readonly Kind[] = [customer, booking, sale, card, redemption, subscription, delivery, fault]
