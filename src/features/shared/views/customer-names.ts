import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/exact.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import { joined, textAt } from './wording.ts'

/**
 * Returns a customer's name, or the company's name if the customer's is unknown. Formats a value that is not an object
 * as plain text.
 */
export function customerName(customer: JsonValue | undefined): string {
  if (!isJsonObject(customer)) return plainText(customer)
  const name = joined([textAt(customer, 'firstName'), textAt(customer, 'lastName')], ' ')
  return name || textAt(customer, 'fullName') || textAt(customer, 'company')
}

export function guestCell({ customer }: JsonObject): string {
  return customerName(customer)
}

export function addressLine(address: JsonValue | undefined): string {
  if (!isJsonObject(address)) return plainText(address)
  const place = joined([textAt(address, 'city'), textAt(address, 'state'), textAt(address, 'postalCode')], ' ')
  return joined([textAt(address, 'line1'), textAt(address, 'line2'), place, textAt(address, 'country')], ', ')
}

/** Formats a name and an e-mail address as `Ada Lovelace <ada@example.com>`. `prefix` is `recipient` or `purchaser`. */
export function nameAndEmail(record: JsonObject, prefix: string): string {
  const name = joined([textAt(record, `${prefix}FirstName`), textAt(record, `${prefix}LastName`)], ' ')
  const email = textAt(record, `${prefix}Email`)
  return name !== '' && email !== '' ? `${name} <${email}>` : name || email
}
