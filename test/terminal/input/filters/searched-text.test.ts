import { expect, test } from 'vitest'
import { customerMatcher } from '../../../../src/terminal/input/filters/searched-text.ts'

const ZOE = {
  firstName: 'Zoë',
  lastName: 'Müller-Lüdenscheidt',
  email: 'zoe.m@example.com',
  phone: '+61 412 345 678',
  phoneNational: null,
  company: 'Straßenfest & Søn',
}

test.each(['zoe', 'ZOË', 'zoë muller', 'müller zoe', 'Zoe.M@Example', 'lüden', 'Zoe\u0308'])(
  'searching customers for %s finds Zoë Müller-Lüdenscheidt',
  (text) => {
    expect(customerMatcher(text)(ZOE)).toBe(true)
  },
)

test.each(['0412 345 678', '0412345678', '+61412345678', '+61 (412) 345-678', '412 345', '61412'])(
  'searching customers for %s finds the phone number +61 412 345 678',
  (text) => expect(customerMatcher(text)(ZOE)).toBe(true),
)

test.each(['bob', 'zoe smith', '0413', '0345', '12', 'søn'])(
  'searching customers for %s does not find Zoë Müller-Lüdenscheidt',
  (text) => {
    expect(customerMatcher(text)(ZOE)).toBe(false)
  },
)

test('customer search includes the additional members that the caller names', () => {
  for (const text of ['strassenfest', 'son', 'zoe fest']) expect(customerMatcher(text, ['company'])(ZOE)).toBe(true)
})

test('customer search for an international phone number finds the number stored without a country code', () =>
  expect(customerMatcher('+61 412 345 678')({ phone: '0412 345 678' })).toBe(true))

test('customer search ignores all kinds of apostrophes', () => {
  for (const text of ["o'neill", 'O’Néill', 'oneill']) expect(customerMatcher(text)({ lastName: "O'Néill" })).toBe(true)
})

test('customer search does not match a value that is not an object', () => {
  for (const value of [null, undefined, 'zoe', ['zoe']]) expect(customerMatcher('zoe')(value)).toBe(false)
})
