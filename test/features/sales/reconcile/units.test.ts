import { expect, test } from 'vitest'
import { centsOfUnits, unitsOf, unitsOfCents, unitsText } from '../../../../src/features/sales/reconcile/units.ts'

test.each([
  ['0', '0.00'],
  ['-0.5', '-0.50'],
  ['1e2', '100.00'],
  ['1.25E-1', '0.125'],
  ['75.04999999999999', '75.05'],
  ['-75.05000000000001', '-75.05'],
  ['9007199254740993.01', '9007199254740993.01'],
  ['0.12345678901234567891', '0.12345678901234567891'],
  ['1.2300', '1.23'],
])('unitsText formats the amount %s as %s without losing digits', (number, text) =>
  expect(unitsText(unitsOf(number) ?? 1n)).toBe(text),
)

test('unitsOf returns null for text that is not an amount, and centsOfUnits returns null for a fraction of a cent', () => {
  for (const text of ['', 'x', '1,5', '.5', '1e99', '0.123456789012345678912']) expect(unitsOf(text), text).toBeNull()
  expect(centsOfUnits(unitsOf('1.005') ?? 0n)).toBeNull()
  expect(centsOfUnits(unitsOfCents(-105n))).toBe(-105n)
})
