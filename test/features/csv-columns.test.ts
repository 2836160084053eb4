import { expect, test } from 'vitest'
import * as z from 'zod'
import { booking } from '../../src/contract/bookings/booking.ts'
import { bookingReceipt } from '../../src/contract/bookings/changes.ts'
import { reservationResponse } from '../../src/contract/bookings/reservations.ts'
import { bookingStatus } from '../../src/contract/bookings/statuses.ts'
import { customerRecord } from '../../src/contract/customers.ts'
import { giftCard, redeemResult } from '../../src/contract/giftcards.ts'
import { saleRecord } from '../../src/contract/sales.ts'
import type { Schema } from '../../src/contract/shapes/schema.ts'
import { subscription, subscriptionResult } from '../../src/contract/webhooks.ts'
import { bookingList } from '../../src/features/bookings/views/booking.ts'
import { receiptList, reservationList } from '../../src/features/bookings/views/receipt.ts'
import { bookingStatusList } from '../../src/features/bookings/views/status.ts'
import { customerList } from '../../src/features/customers/customer.ts'
import { redemptionList } from '../../src/features/giftcards/views/changes.ts'
import { giftCardList } from '../../src/features/giftcards/views/gift-card.ts'
import { saleList } from '../../src/features/sales/views.ts'
import { webhookList } from '../../src/features/webhooks/subscription-views.ts'
import type { ListView } from '../../src/terminal/render/view.ts'

const VIEWS: Readonly<Record<string, readonly [ListView, ...Schema[]]>> = {
  bookings: [bookingList, booking],
  'booking changes': [receiptList, bookingReceipt],
  reservations: [reservationList, reservationResponse],
  statuses: [bookingStatusList, bookingStatus],
  customers: [customerList, customerRecord],
  'gift cards': [giftCardList, giftCard],
  redemptions: [redemptionList, redeemResult],
  sales: [saleList, saleRecord],
  subscriptions: [webhookList, subscription, subscriptionResult],
}

test.each(Object.entries(VIEWS))(
  'the CSV of %s has exactly one column for every member',
  (_what, [view, ...schemas]) => {
    expect([...view.csvPaths].sort()).toEqual([...new Set(schemas.flatMap((schema) => membersOf(schema(z))))].sort())
  },
)

/** Returns the dotted paths of all members that are not objects. */
function membersOf(type: z.core.$ZodType, path = ''): string[] {
  const { def } = type._zod as {
    def: { type: string; innerType?: z.core.$ZodType; shape?: Record<string, z.core.$ZodType> }
  }
  if (def.innerType) return membersOf(def.innerType, path)
  if (!def.shape) return [path]
  return Object.entries(def.shape).flatMap(([name, member]) =>
    membersOf(member, path === '' ? name : `${path}.${name}`),
  )
}
