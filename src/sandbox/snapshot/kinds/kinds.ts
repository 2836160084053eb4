import { booking } from './bookings.ts'
import { card, redemption } from './cards.ts'
import { customer } from './customers.ts'
import { delivery, fault, subscription } from './hooks.ts'
import type { Kind } from './kind.ts'
import { sale } from './sales.ts'

/** All kinds of records, in the order they are written. Each kind comes after the kinds that its records refer to. */
export const KINDS: readonly Kind[] = [customer, booking, sale, card, redemption, subscription, delivery, fault]
