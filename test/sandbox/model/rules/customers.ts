import {
  assumedRejection,
  type Call,
  type ExpectedResponse,
  malformed,
  type Rule,
  respond,
} from '../expected-response.ts'
import { Any } from '../pattern.ts'
import { type Customer, iso, type Model } from '../state.ts'
import { readDate } from './cards.ts'
import { readPage, toPage } from './pages.ts'
import { defineRule, type Rules } from './rule.ts'

interface Sent {
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  readonly email?: string
}

/**
 * Stores the customer in a request and returns the customer's index in {@link Model.customers}. The model assumes that
 * a customer is identified by name and phone.
 */
export function storeCustomer(model: Model, { firstName, lastName, phone, email }: Sent): number {
  const known = model.customers.findIndex(
    (one) => one.firstName === firstName && one.lastName === lastName && one.phone === phone,
  )
  const customer = model.customers[known]
  if (!customer) {
    const made = { id: null, firstName, lastName, phone, email: email ?? null, subscribed: true, modified: model.now }
    return model.customers.push(made) - 1
  }
  customer.email = email ?? customer.email
  customer.modified = model.now
  return known
}

/**
 * Returns the customer as the service shows it. The service chooses the customer's ID, which never changes after that.
 * The model assumes that unknown members are `null`. Source: "Customer (inside Booking)".
 */
export function shownCustomer(model: Model, customer: Customer): Record<string, unknown> {
  return {
    id: new Any('the ID of that customer', (id) => isIdOf(model, customer, id)),
    firstName: customer.firstName,
    lastName: customer.lastName,
    company: null,
    email: customer.email,
    phone: customer.phone,
    phoneNational: customer.phone.replace(/^\+61 ?/, '0'),
    phone2: null,
    address: { line1: null, line2: null, city: null, state: null, postalCode: null, country: null },
    birthdayDate: null,
    birthdayMonth: null,
    birthdayYear: null,
    notes: null,
    noShowCount: 0,
    tags: [],
    subscribed: customer.subscribed,
    lastModifiedDate: iso(customer.modified),
  }
}

function isIdOf(model: Model, customer: Customer, id: unknown): boolean {
  if (typeof id !== 'string' || id === '') return false
  if (customer.id === null && model.customers.every((one) => one.id !== id)) customer.id = id
  return customer.id === id
}

/** GET /Customers. The specification says "Paginated list of customers." The filters and the order are assumptions. */
const listCustomers: Rule = (call: Call): ExpectedResponse => {
  const { model, query } = call
  const page = readPage(query)
  const sort = query.get('Sort') ?? 'asc'
  if (page === null || (sort !== 'asc' && sort !== 'desc')) return malformed()
  const from = readDate(call, 'DateUpdatedStart', 0)
  const to = readDate(call, 'DateUpdatedEnd', Number.MAX_SAFE_INTEGER)
  if (from === null || to === null) return assumedRejection(400, 'Invalid Date passed.')
  const id = query.get('CustomerId')
  const found = model.customers
    .filter((one) => one.modified >= from && one.modified <= to && (id === null || one.id === id))
    .sort((a, b) => a.modified - b.modified)
  if (sort === 'desc') found.reverse()
  const items = found.map((one) => ({ ...shownCustomer(model, one), fullName: `${one.firstName} ${one.lastName}` }))
  return respond(200, toPage(page, items))
}

/**
 * POST /Customers/{id}/unsubscribe. The model assumes that unsubscribing a customer twice changes nothing and is not an
 * error.
 */
const unsubscribeCustomer: Rule = ({ model, parameters: { id = '' } }) => {
  const customer = model.customers.find((one) => one.id === id)
  if (!customer) return assumedRejection(404, `Customer '${id}' not found.`)
  if (customer.subscribed) {
    customer.subscribed = false
    customer.modified = model.now
  }
  return respond(200, { id, subscribed: false })
}

export const CUSTOMERS = {
  'customers.list': defineRule('GET /Customers', listCustomers),
  'customers.unsubscribe': defineRule('POST /Customers/{id}/unsubscribe', unsubscribeCustomer),
} satisfies Partial<Rules>
