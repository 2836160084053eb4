import { expect, test } from 'vitest'
import { customerSearch } from '../../../../src/terminal/input/filters/searched-text.ts'

const ZOE = {
  firstName: 'Zoë',
  lastName: 'Müller-Lüdenscheidt',
  email: 'zoe.m@example.com',
  phone: '+61 412 345 678',
  phoneNational: null,
  company: 'Straßenfest & Søn',
}

test.each(['zoe', 'ZOË', 'zoë muller', 'müller zoe', 'Zoe.M@Example', 'lüden', 'Zoe\u0308'])('%s is Zoë', (text) => {
  expect(customerSearch(text)(ZOE)).toBe(true)
})

test.each(['0412 345 678', '0412345678', '+61412345678', '+61 (412) 345-678', '412 345', '61412'])(
  '%s finds her',
  (text) => expect(customerSearch(text)(ZOE)).toBe(true),
)

test.each(['bob', 'zoe smith', '0413', '0345', '12', 'søn'])('%s is somebody else', (text) => {
  expect(customerSearch(text)(ZOE)).toBe(false)
})

test('further members are looked in when they are named', () => {
  for (const text of ['strassenfest', 'son', 'zoe fest']) expect(customerSearch(text, ['company'])(ZOE)).toBe(true)
})

test('a number that is kept without the code of its country is found with it', () =>
  expect(customerSearch('+61 412 345 678')({ phone: '0412 345 678' })).toBe(true))

test('an apostrophe may be any, or none', () => {
  for (const text of ["o'neill", 'O’Néill', 'oneill']) expect(customerSearch(text)({ lastName: "O'Néill" })).toBe(true)
})

test('what is no customer has nothing of it', () => {
  for (const value of [null, undefined, 'zoe', ['zoe']]) expect(customerSearch('zoe')(value)).toBe(false)
})
