import { assumed, assumedRefusal } from './endpoint.ts'
import { invalidDate } from './failures.ts'
import { always, formed } from './shapes/facts.ts'
import { page, pageQuery } from './shapes/pages.ts'
import { anything, integer, queryInstant, text } from './shapes/scalars.ts'
import { lenientObject, schema } from './shapes/schema.ts'

/**
 * An address. The text of the specification calls it a string, but its schema shows an object. Source: "Supporting
 * objects".
 */
export const address = schema((z) =>
  lenientObject(z, {
    line1: text(z),
    line2: text(z),
    city: text(z),
    state: text(z),
    postalCode: text(z),
    country: text(z),
  }),
)

/** A customer's tag. Source: "Supporting objects". */
export const customerTag = schema((z) => lenientObject(z, { id: text(z), identifier: text(z), name: text(z) }))

/** A customer. Source: "Customer (inside Booking)". */
export const customer = schema((z) =>
  lenientObject(z, {
    id: text(z),
    firstName: text(z),
    lastName: text(z),
    company: text(z),
    email: text(z),
    phone: text(z).describe('with international code'),
    phoneNational: text(z).describe('national format'),
    phone2: text(z),
    address: address(z).nullish(),
    birthdayDate: integer(z),
    birthdayMonth: integer(z),
    birthdayYear: integer(z),
    notes: text(z),
    noShowCount: integer(z),
    tags: z.array(customerTag(z)).nullish(),
    subscribed: always(z.boolean().nullish()).describe('email subscription'),
    lastModifiedDate: formed(z, 'assumedInstant'),
  }),
)

/** A customer in a list, which also has a `fullName`. This is an assumption: the specification does not say. */
export const customerRecord = schema((z) => customer(z).extend({ fullName: text(z) }))

/** Lists customers in pages. Source: "Other endpoints"; the shape is assumed. */
export const listCustomers = assumed('customers.list', 'GET /Customers', {
  summary: 'List customers',
  write: 'none',
  touches: ['customers'],
  query: schema((z) =>
    pageQuery(z).extend({
      CustomerId: z.string().optional(),
      DateUpdatedStart: queryInstant(z).optional(),
      DateUpdatedEnd: queryInstant(z).optional(),
      Sort: z.enum(['asc', 'desc']).optional(),
    }),
  ),
  responses: { 200: page(customerRecord) },
  list: { member: 'items', paging: 'offset' },
  failures: { invalidDate },
})

/** Unsubscribes a customer from marketing emails. Source: "Other endpoints". */
export const unsubscribeCustomer = assumed('customers.unsubscribe', 'POST /Customers/{id}/unsubscribe', {
  summary: 'Unsubscribe a customer from marketing emails',
  write: 'safe-to-repeat',
  touches: ['customers'],
  answer: 'any',
  responses: { 200: anything },
  failures: {
    notFound: assumedRefusal(404, "Customer '{id}' not found.", {
      code: 'NOT_FOUND',
      hint: 'find the customer with: partner customers list',
    }),
  },
})

export const CUSTOMERS_ENDPOINTS = {
  [listCustomers.id]: listCustomers,
  [unsubscribeCustomer.id]: unsubscribeCustomer,
} as const
