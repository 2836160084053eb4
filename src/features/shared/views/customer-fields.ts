import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import { MONTHS } from '../../../base/time/calendar.ts'
import type { Cell } from '../../../terminal/render/text/tone.ts'
import type { Field } from '../../../terminal/render/view.ts'
import { addressLine } from './customer-names.ts'
import { instantAt } from './moments.ts'
import { pathsIn } from './paths.ts'
import { isNonZero, joined, textAt } from './wording.ts'

/** The CSV columns for a customer inside another record. Source: "Customer (inside Booking)". */
export const CUSTOMER_COLUMNS: readonly string[] =
  pathsIn(`firstName lastName company phone phoneNational phone2 email id
  address.line1 address.line2 address.city address.state address.postalCode address.country
  birthdayDate birthdayMonth birthdayYear notes noShowCount tags subscribed lastModifiedDate`).map(
    (member) => `customer.${member}`,
  )

/**
 * Returns the card lines for the customer at a path, except the name. If the path is '', the record itself is the
 * customer. Source: "Customer (inside Booking)".
 */
export function customerFields(at: string): readonly Field[] {
  const path = (member: string) => (at === '' ? member : `${at}.${member}`)
  const own = (record: JsonObject): JsonObject => {
    const customer = at === '' ? record : valueAt(record, at)
    return isJsonObject(customer) ? customer : {}
  }
  return [
    { label: 'Phone', paths: [path('phone'), path('phoneNational')], cell: (record) => phones(own(record)) },
    { label: 'Second phone', paths: [path('phone2')] },
    { label: 'Email', paths: [path('email')] },
    {
      label: 'Address',
      paths: ['', '.line1', '.line2', '.city', '.state', '.postalCode', '.country'].map((end) => path(`address${end}`)),
      cell: (record) => addressLine(own(record)['address']),
    },
    {
      label: 'Birthday',
      paths: [path('birthdayDate'), path('birthdayMonth'), path('birthdayYear')],
      cell: (record) => birthday(own(record)),
    },
    { label: 'No-shows', paths: [path('noShowCount')], cell: (record) => noShowCell(own(record)) },
    { label: 'Guest notes', paths: [path('notes')] },
    {
      label: 'Guest tags',
      paths: [path('tags.*.name'), path('tags.*.identifier'), path('tags.*.id')],
      cell: (record) => tagNames(own(record)),
    },
    { label: 'Marketing', paths: [path('subscribed')], cell: (record) => subscription(own(record)) },
    { label: 'Customer ID', paths: [path('id')] },
    { label: 'Guest changed', paths: [path('lastModifiedDate')], cell: instantAt(path('lastModifiedDate')) },
  ]
}

/** Formats a customer's number of no-shows and highlights it unless it is zero. */
export function noShowCell(customer: JsonObject): Cell {
  const text = textAt(customer, 'noShowCount')
  return isNonZero(text) ? { text, tone: 'warn' } : text
}

function phones(customer: JsonObject): string {
  const [phone, national] = [textAt(customer, 'phone'), textAt(customer, 'phoneNational')]
  return phone === '' || national === '' || phone === national ? phone || national : `${phone} (${national})`
}

function birthday(customer: JsonObject): string {
  const month = textAt(customer, 'birthdayMonth')
  const name = MONTHS[Number(month) - 1] ?? month
  return joined([textAt(customer, 'birthdayDate'), name, textAt(customer, 'birthdayYear')], ' ')
}

function tagNames(customer: JsonObject): string {
  const { tags } = customer
  if (!Array.isArray(tags)) return ''
  const names = tags
    .filter(isJsonObject)
    .map((tag) => textAt(tag, 'name') || textAt(tag, 'identifier') || textAt(tag, 'id'))
  return joined(names, ', ')
}

function subscription(customer: JsonObject): string {
  const { subscribed } = customer
  if (typeof subscribed !== 'boolean') return textAt(customer, 'subscribed')
  return subscribed ? 'accepts emails' : 'no emails'
}
