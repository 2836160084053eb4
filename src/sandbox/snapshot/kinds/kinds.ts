import { booking } from './bookings.ts'
import { card, redemption } from './cards.ts'
import { customer } from './customers.ts'
import { delivery, fault, subscription } from './hooks.ts'
import type { Kind } from './kind.ts'
import { sale } from './sales.ts'

/** The kinds of records in file order: referenced ones first. */
export const KINDS: readonly Kind[] = [customer, booking, sale, card, redemption, subscription, delivery, fault]
