import { given, IDENTITY, type MainTable, members, VERSION_AND_RAW } from './table.ts'

/** The table of customers. */
export const CUSTOMERS: MainTable = {
  name: 'customers',
  hasChangeDate: true,
  columns: [
    ...IDENTITY,
    ...members([
      ['first_name', 'text', 'firstName'],
      ['last_name', 'text', 'lastName'],
      ['full_name', 'text', 'fullName'],
      ['company', 'text', 'company'],
      ['email', 'text', 'email'],
      ['phone', 'text', 'phone'],
      ['phone_national', 'text', 'phoneNational'],
      ['phone2', 'text', 'phone2'],
      ['address_line1', 'text', 'address.line1'],
      ['address_line2', 'text', 'address.line2'],
      ['city', 'text', 'address.city'],
      ['state', 'text', 'address.state'],
      ['postal_code', 'text', 'address.postalCode'],
      ['country', 'text', 'address.country'],
      ['birthday_day', 'integer', 'birthdayDate'],
      ['birthday_month', 'integer', 'birthdayMonth'],
      ['birthday_year', 'integer', 'birthdayYear'],
      ['notes', 'text', 'notes'],
      ['no_show_count', 'integer', 'noShowCount'],
      ['subscribed', 'boolean', 'subscribed'],
    ]),
    given('last_modified', 'instant', 'changed'),
    ...VERSION_AND_RAW,
  ],
  key: ['source', 'id'],
  indexes: [['last_modified'], ['email'], ['phone']],
  children: [],
}
