import { booking } from './bookings/booking.ts'
import { invalidStatus } from './bookings/statuses.ts'
import { assumed, assumedRefusal } from './endpoint.ts'
import { invalidDate } from './failures.ts'
import { always, formed, sureDecimal, sureText } from './shapes/facts.ts'
import { page, pageQuery } from './shapes/pages.ts'
import { anything, cents, decimal, queryInstant, text } from './shapes/scalars.ts'
import { lenientObject, schema } from './shapes/schema.ts'

/**
 * An amount of money in a submitted sale, in integer cents. The unit is an assumption: the specification does not say.
 */
export const price = schema((z) =>
  z.object({ amount: cents(z), currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code') }),
)

export const SALE_TYPES = ['SALE', 'REFUND', 'VOID'] as const

const named = schema((z) => z.looseObject({ id: z.string().optional(), name: z.string().optional() }))

/**
 * A sale to submit. `origin.saleId` is the POS's unique ID for the sale, which the service uses to recognize
 * duplicates. Amounts are in cents. The shape is assumed: the specification does not describe it.
 */
export const saleRequest = schema((z) =>
  z.looseObject({
    origin: z.looseObject({
      saleId: z.string().min(1),
      originalSaleId: z.string().optional(),
      locationId: z.string().optional(),
      locationName: z.string().optional(),
    }),
    source: z.looseObject({ type: z.string().min(1) }),
    type: z.enum(SALE_TYPES),
    openedZonedDateTime: z.string().min(1),
    closedZonedDateTime: z.string().optional(),
    staff: z.looseObject({ id: z.string().min(1) }),
    table: z.looseObject({ seats: z.int().min(0), number: z.string().optional() }),
    locationId: z.string().optional(),
    bookingId: z.string().optional(),
    status: z.string().optional().describe('a booking status code'),
    customer: named(z).optional(),
    register: named(z).optional(),
    section: named(z).optional(),
    items: z
      .array(
        z.looseObject({
          id: z.string().optional(),
          name: z.string().optional(),
          category: z.string().optional(),
          quantity: z.number().optional(),
          unitPrice: price(z).optional(),
          unitPriceTax: price(z).optional(),
          total: price(z).optional(),
          tax: price(z).optional(),
        }),
      )
      .optional(),
    payments: z
      .array(
        z.looseObject({
          method: z.string().optional(),
          goodsAndServicesAmount: price(z).optional(),
          status: z.string().optional(),
        }),
      )
      .optional(),
    total: price(z).optional(),
    subtotal: price(z).optional(),
    tax: price(z).optional(),
    discounts: price(z).optional(),
    surcharges: price(z).optional(),
  }),
)

/**
 * Submits a sale. The status 409 means that the service already has a sale with this ID. Source: "Other endpoints"; the
 * shape is assumed.
 */
export const createSale = assumed('sales.create', 'POST /Sales', {
  summary: 'Submit a sale',
  write: 'money',
  touches: ['sales', 'bookings'],
  causes: 'BOOKING_UPDATED',
  body: saleRequest,
  answer: 'any',
  responses: { 200: anything },
  failures: {
    duplicate: assumedRefusal(409, "Sale '{saleId}' has already been submitted.", {
      code: 'CONFLICT',
      hint: 'the service already has this sale; nothing was changed',
    }),
    invalidStatus,
    bookingNotFound: assumedRefusal(400, "Booking '{bookingId}' not found."),
  },
})

/**
 * A sale in a list. Amounts are in currency units, not in cents. The shape is assumed: the specification does not
 * describe it.
 */
export const saleDetail = schema((z) =>
  lenientObject(z, {
    transactionId: sureText(z).describe("the POS's sale ID"),
    transactionDateTime: formed(z, 'assumedInstant').describe('closing time, UTC'),
    storeName: text(z),
    posName: text(z),
    posId: text(z),
    staffId: text(z),
    staffName: text(z),
    total: sureDecimal(z),
    totalExTax: decimal(z).nullish(),
    tax: decimal(z).nullish(),
    discount: decimal(z).nullish(),
    tipAmount: decimal(z).nullish(),
    status: text(z),
    actualStartTime: text(z),
    actualEndTime: text(z),
    payments: z.array(z.unknown()).nullish(),
    items: z.array(z.unknown()).nullish(),
  }),
)

/** A sale in a list, together with its booking. The shape is assumed: the specification does not describe it. */
export const saleRecord = schema((z) =>
  booking(z)
    .pick({
      bookingId: true,
      method: true,
      bookingTime: true,
      duration: true,
      people: true,
      serviceId: true,
      serviceName: true,
      serviceType: true,
      notes: true,
      lastModifiedDate: true,
      customer: true,
      tables: true,
      tags: true,
      status: true,
    })
    .extend({ saleDetail: always(saleDetail(z).nullish()) }),
)

/** Lists sales, each with its booking. Source: "Other endpoints"; the shape is assumed. */
export const listSales = assumed('sales.list', 'GET /Sales', {
  summary: 'List sales',
  write: 'none',
  touches: ['sales', 'bookings', 'customers'],
  query: schema((z) => pageQuery(z).extend({ StartDate: queryInstant(z), EndDate: queryInstant(z) })),
  responses: { 200: page(saleRecord) },
  list: { member: 'items', paging: 'offset' },
  failures: { invalidDate },
})

export const SALES_ENDPOINTS = { [createSale.id]: createSale, [listSales.id]: listSales } as const
