import type { Diary } from '../store/diary.ts'
import type { Row } from '../store/store.ts'
import { makeId } from './bookings.ts'
import { stampChange } from './stamp.ts'

type Texts = 'firstName' | 'lastName' | 'company' | 'email' | 'phone' | 'phoneNational' | 'phone2' | 'notes'
type Numbers = 'birthdayDate' | 'birthdayMonth' | 'birthdayYear' | 'noShowCount'

/** A customer as it is stored and returned. Source: "Customer (inside Booking)". */
export interface CustomerDocument extends Readonly<Record<Texts, string | null> & Record<Numbers, number | null>> {
  readonly id: string
  readonly address: Address
  readonly tags: readonly { readonly id: string; readonly identifier: string; readonly name: string }[] | null
  readonly subscribed: boolean
  readonly lastModifiedDate: string
}

const ADDRESS_MEMBERS = ['line1', 'line2', 'city', 'state', 'postalCode', 'country'] as const

/**
 * A customer's address. The object is always present, but its unknown members are `null`. Source: "Supporting objects".
 */
export type Address = Readonly<Record<(typeof ADDRESS_MEMBERS)[number], string | null>>

export const NO_ADDRESS = toAddress({})

/** The customer for walk-ins who do not give a name. Source: "Difference from POST /Bookings". */
export const WALK_IN_CUSTOMER: Omit<CustomerDocument, 'lastModifiedDate'> = {
  id: 'walk-in',
  firstName: 'Walk',
  lastName: 'In',
  company: null,
  email: null,
  phone: null,
  phoneNational: null,
  phone2: null,
  address: NO_ADDRESS,
  birthdayDate: null,
  birthdayMonth: null,
  birthdayYear: null,
  notes: null,
  noShowCount: 0,
  tags: [],
  subscribed: false,
}

export function putCustomer(diary: Diary, customer: CustomerDocument): void {
  diary.run(
    `INSERT INTO customers (id, full_name, modified, document) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, modified = excluded.modified, document = excluded.document`,
    ...[customer.id, fullName(customer), Date.parse(customer.lastModifiedDate), JSON.stringify(customer)],
  )
}

/** Returns the first and last name in one string, which is used to find customers. */
export function fullName(customer: CustomerDocument): string {
  return [customer.firstName, customer.lastName].filter((part) => part !== null && part !== '').join(' ')
}

export function findCustomer(diary: Diary, id: string): CustomerDocument | undefined {
  const row = diary.get('SELECT document FROM customers WHERE id = ?', id)
  return row && readCustomer(row)
}

export function readCustomer(row: Row): CustomerDocument {
  return JSON.parse(String(row['document'])) as CustomerDocument
}

type Optional = string | null | undefined

export interface SentCustomer
  extends Readonly<Partial<Record<'id' | 'firstName' | 'lastName' | 'phone' | 'company' | 'email', Optional>>> {
  readonly address?: Readonly<Record<string, Optional>> | null | undefined
}

/**
 * Stores the customer of a new booking and returns the customer's ID. Updates the customer with the same ID or, if
 * there is none, the one with the same phone number and name. Otherwise, adds a new customer. Never changes the walk-in
 * placeholder: ignores its ID if the request also contains other details.
 */
export function storeCustomer(diary: Diary, sent: SentCustomer, now: number): string {
  if (sent.id === WALK_IN_CUSTOMER.id)
    return isWalkIn(sent) ? sent.id : storeCustomer(diary, { ...sent, id: null }, now)
  const known = (sent.id ? findCustomer(diary, sent.id) : undefined) ?? findSameCustomer(diary, sent)
  return mergeCustomer(diary, known ?? { ...NEW_CUSTOMER, id: sent.id || makeId(diary, now) }, sent, now)
}

/**
 * Stores changes to a booking's customer and returns the customer's ID. If the request describes a different customer
 * (by ID, or by full name with a phone number), stores that customer instead.
 */
export function changeCustomer(diary: Diary, current: string | null, sent: SentCustomer, now: number): string {
  const known = current === null || current === WALK_IN_CUSTOMER.id ? undefined : findCustomer(diary, current)
  if (!known || (sent.id && sent.id !== known.id) || isAnotherPerson(known, sent))
    return storeCustomer(diary, sent, now)
  return mergeCustomer(diary, known, sent, now)
}

/** The defaults for a new customer: those of the walk-in placeholder, except for the name and the subscription. */
const NEW_CUSTOMER = { ...WALK_IN_CUSTOMER, firstName: null, lastName: null, subscribed: true }

function isWalkIn(sent: SentCustomer): boolean {
  return Object.entries(sent).every(
    ([member, value]) => !value || value === WALK_IN_CUSTOMER[member as keyof typeof WALK_IN_CUSTOMER],
  )
}

function isAnotherPerson(known: CustomerDocument, { firstName, lastName, phone }: SentCustomer): boolean {
  return Boolean(firstName && lastName && phone) && (firstName !== known.firstName || lastName !== known.lastName)
}

function mergeCustomer(
  diary: Diary,
  base: Omit<CustomerDocument, 'lastModifiedDate'> & { readonly lastModifiedDate?: string },
  sent: SentCustomer,
  now: number,
): string {
  const at = base.lastModifiedDate === undefined ? now : stampChange(diary, Date.parse(base.lastModifiedDate), now)
  putCustomer(diary, {
    ...base,
    firstName: sent.firstName ?? base.firstName,
    lastName: sent.lastName ?? base.lastName,
    company: sent.company ?? base.company,
    email: sent.email ?? base.email,
    phone: sent.phone ?? base.phone,
    phoneNational: sent.phone ? toNationalForm(sent.phone) : base.phoneNational,
    address: sent.address ? toAddress({ ...base.address, ...withoutNulls(sent.address) }) : base.address,
    lastModifiedDate: new Date(at).toISOString(),
  })
  return base.id
}

function withoutNulls(sent: NonNullable<SentCustomer['address']>): Record<string, string | null | undefined> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null && value !== undefined))
}

function findSameCustomer(diary: Diary, sent: SentCustomer): CustomerDocument | undefined {
  if (!sent.phone) return undefined
  const name = [sent.firstName, sent.lastName].filter((part) => part).join(' ')
  const rows = diary.all('SELECT document FROM customers WHERE full_name = ? LIMIT 20', name)
  return rows.map(readCustomer).find((customer) => customer.phone === sent.phone)
}

/** Creates a complete address from the given members. Sets missing members to `null`. */
export function toAddress(sent: Readonly<Record<string, string | null | undefined>>): Address {
  return Object.fromEntries(ADDRESS_MEMBERS.map((member) => [member, sent[member] ?? null])) as Address
}

/** Formats `+61 412 345 678` as `0412 345 678`. Numbers that do not look Australian stay unchanged. */
export function toNationalForm(phone: string): string {
  return phone.replace(/^\+61\s?/, '0')
}
