import { parseExact } from '../../../base/json/exact.ts'
import { type CustomerDocument, NO_ADDRESS, putCustomer, toAddress, toNationalForm } from '../../records/customers.ts'
import { asDiary } from '../../store/diary.ts'
import { membersLike, type RecordData, rejectUnknownMembers } from '../form/members.ts'
import { bool, documentText, instant, integer, jsonObject, listOf, nonEmptyText, orNull, text } from '../form/values.ts'
import type { Kind } from './kind.ts'

const TEXTS = ['firstName', 'lastName', 'company', 'email', 'phone'] as const
const NUMBERS = ['birthdayDate', 'birthdayMonth', 'birthdayYear'] as const

/**
 * Customers, with the same members as in responses from the service. Members of an address are omitted if they are
 * `null`.
 */
export const customer: Kind = {
  name: 'customer',
  select: 'SELECT * FROM customers ORDER BY rank',
  members: {
    customer: { read: nonEmptyText },
    ...membersLike(TEXTS, { read: orNull(text), implied: () => null }),
    phoneNational: {
      read: orNull(text),
      implied: ({ phone }) => (typeof phone === 'string' ? toNationalForm(phone) : null),
    },
    phone2: { read: orNull(text), implied: () => null },
    address: { read: address, implied: () => ({}) },
    ...membersLike(NUMBERS, { read: orNull(integer()), implied: () => null }),
    notes: { read: orNull(text), implied: () => null },
    noShowCount: { read: orNull(integer()), implied: () => 0 },
    tags: { read: orNull(listOf(jsonObject)), implied: () => [] },
    subscribed: { read: bool, implied: () => true },
    lastModifiedDate: { read: instant },
    document: { read: documentText, implied: (record) => JSON.stringify(toDocument(record)) },
  },
  toRecord: (row) => {
    const { id: customerId, address: complete, ...members } = readDocument(row)
    const known = Object.entries(complete).filter(([, value]) => value !== null)
    return { ...members, customer: customerId, address: Object.fromEntries(known), document: row['document'] }
  },
  insert: (store, record) => putCustomer(asDiary(store), readDocument(record)),
}

function readDocument(record: RecordData): CustomerDocument {
  return parseExact(String(record['document'])) as unknown as CustomerDocument
}

function address(value: unknown): RecordData {
  const given = jsonObject(value) as RecordData
  rejectUnknownMembers(given, Object.keys(NO_ADDRESS))
  return Object.fromEntries(Object.entries(given).map(([name, part]) => [name, text(part)]))
}

/** Creates the document to store for a customer. Its members have the same order as those of a new customer. */
function toDocument({ customer: customerId, address: known, document: _document, ...members }: RecordData): RecordData {
  const { firstName, lastName, company, email, phone, phoneNational, phone2, ...rest } = members
  const own = { id: customerId, firstName, lastName, company, email, phone, phoneNational, phone2 }
  return { ...own, address: toAddress(known as Record<string, string | null>), ...rest }
}
