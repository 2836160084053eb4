import { given, IDENTITY, type MainTable, members, VERSION_AND_RAW } from './table.ts'

export const CUSTOMERS: MainTable = {
  name: 'customers',
  hasChangeDate: true,
  columns: [
    ...IDENTITY,
    ...members('text', { first_name: 'firstName', last_name: 'lastName', full_name: 'fullName', company: 'company' }),
    ...members('text', { email: 'email', phone: 'phone', phone_national: 'phoneNational', phone2: 'phone2' }),
    ...members('text', { address_line1: 'address.line1', address_line2: 'address.line2', city: 'address.city' }),
    ...members('text', { state: 'address.state', postal_code: 'address.postalCode', country: 'address.country' }),
    ...members('integer', { birthday_day: 'birthdayDate', birthday_month: 'birthdayMonth' }),
    ...members('integer', { birthday_year: 'birthdayYear' }),
    ...members('text', { notes: 'notes' }),
    ...members('integer', { no_show_count: 'noShowCount' }),
    ...members('boolean', { subscribed: 'subscribed' }),
    given('last_modified', 'instant', 'changed'),
    ...VERSION_AND_RAW,
  ],
  key: ['source', 'id'],
  indexes: [['last_modified'], ['email'], ['phone']],
  children: [],
}
