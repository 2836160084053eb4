import { expect, test } from 'vitest'
import { counted, isNonZero, money, sameWord, words } from '../../../src/features/shared/views/wording.ts'

test('money is shown with all its digits and at least two decimal places', () => {
  expect(money(25)).toBe('25.00')
  expect(money(25.5, 'AUD')).toBe('AUD 25.50')
  expect(money(JSON.rawJSON('25.00'))).toBe('25.00')
  expect(money(JSON.rawJSON('0.10000000000000000001'))).toBe('0.10000000000000000001')
  expect(money(-3)).toBe('-3.00')
  expect(money('12.5')).toBe('12.50')
  expect(money(JSON.rawJSON('1e2'))).toBe('100.00')
  expect(money(JSON.rawJSON('-2.505E+1'))).toBe('-25.05')
  expect(money(JSON.rawJSON('5e-2'))).toBe('0.05')
  expect(money(JSON.rawJSON('1e400'))).toBe('1e400')
  expect(money(null, 'AUD')).toBe('')
  expect(money('free')).toBe('free')
})

test('isNonZero returns false for zero, however it is written', () => {
  for (const zero of [0, JSON.rawJSON('0.00'), JSON.rawJSON('-0'), JSON.rawJSON('0e5'), null, ''])
    expect(isNonZero(zero)).toBe(false)
  for (const some of [0.01, -1, JSON.rawJSON('1e2'), '5']) expect(isNonZero(some)).toBe(true)
})

test('a code such as AwaitingPayment is shown as words', () => {
  expect(words('AwaitingPayment')).toBe('Awaiting payment')
  expect(words('EGiftCard')).toBe('E-gift card')
  expect(words('LSExperienceGiftCard')).toBe('LS experience gift card')
  expect(words('PreAuth')).toBe('Pre-auth')
  expect(words('Active')).toBe('Active')
})

test('sameWord ignores case and separators', () => {
  expect(sameWord('NO_SHOW', 'No show')).toBe(true)
  expect(sameWord('ARR-P', 'Partially arrived')).toBe(false)
})

test('a count is followed by the singular or plural form of its noun', () => {
  expect(counted(1, 'person', 'people')).toBe('1 person')
  expect(counted(4, 'person', 'people')).toBe('4 people')
  expect(counted(null, 'person', 'people')).toBe('')
})
