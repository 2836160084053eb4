import { describe, expect, test } from 'vitest'
import { getCurrentOwner, getLiveness } from '../../src/base/storage/owner.ts'
import { centsOf, centsText, parseBalanceCents } from '../../src/money/amount.ts'
import { formatReading } from '../../src/money/card-reading.ts'
import type { Movement } from '../../src/money/operations/operation.ts'
import { SETTLING_MS } from '../../src/money/operations/settling.ts'
import { verdictOf, weighCancel, weighRedeem } from '../../src/money/verdict.ts'

const CENTS = 2500n
const readAs = (balance: bigint, total: bigint | null = null) => formatReading({ balance, status: 'Active', total })
const maybe = (cents: bigint): Movement => ({ cents, isCertain: false })
const certainly = (cents: bigint): Movement => ({ cents, isCertain: true })
const says = (balance: bigint, others: readonly Movement[] = [], status: string | null = 'Active') =>
  weighRedeem({ cents: CENTS, before: readAs(10_000n) }, { balance, status, total: null }, others).state

describe('weighRedeem determines the outcome of redeeming 25.00 from a balance of 100.00', () => {
  test('the outcome is applied if the balance fell by the amount', () => expect(says(7500n)).toBe('applied'))
  test('weighRedeem returns unchanged if the balance has not changed', () => expect(says(10_000n)).toBe('unchanged'))
  test.each([9900n, 7499n, 5000n, 0n, 12_500n])('the outcome is unknown if %s cents remain', (balance) => {
    expect(says(balance)).toBe('unknown')
  })
  test('the outcome is applied if the balance fell by the combined amount of this redemption and a completed one', () => {
    expect(says(5000n, [certainly(2500n)])).toBe('applied')
    expect(says(7500n, [certainly(2500n)])).toBe('unchanged')
  })
  test('the outcome is unknown if other open redemptions could explain the whole change in the balance', () => {
    expect(says(7500n, [maybe(2500n)])).toBe('unknown')
    expect(says(7500n, [maybe(1000n), maybe(1500n)])).toBe('unknown')
    expect(says(7500n, [maybe(1000n)])).toBe('applied')
    expect(says(9000n, [maybe(1000n)])).toBe('unchanged')
  })
  test('the outcome is unknown if too many other redemptions of the same card are open', () =>
    expect(says(7500n, Array(11).fill(maybe(1n)))).toBe('unknown'))
  const closed = ['Cancelled', 'Expired', 'PendingPostage']
  test.each(closed)('the outcome is unknown if the card is %s, even if the balance fell by the amount', (status) => {
    expect(says(7500n, [], status)).toBe('unknown')
    const emptied = (status: string | null) =>
      weighRedeem({ cents: CENTS, before: readAs(2500n) }, { balance: 0n, status, total: null }, []).state
    expect([status, 'Redeemed', null].map(emptied)).toEqual(['unknown', 'applied', 'applied'])
  })
  test('the outcome is unknown if the card was topped up, even if the balance fell by the amount', () => {
    const toppedUp = { balance: 7500n, status: 'Active', total: 15_000n }
    expect(weighRedeem({ cents: CENTS, before: readAs(10_000n, 10_000n) }, toppedUp, []).state).toBe('unknown')
    expect(weighRedeem({ cents: CENTS, before: readAs(10_000n, 15_000n) }, toppedUp, []).state).toBe('applied')
  })
  test('the outcome is unknown if the balance was not read before the redemption', () =>
    expect(
      weighRedeem({ cents: CENTS, before: null }, { balance: 7500n, status: 'Active', total: null }, []).state,
    ).toBe('unknown'))
})

test("weighCancel determines the outcome from the card's status and returns unknown if no status is known", () =>
  expect(['Cancelled', 'Active', null].map((status) => weighCancel(status).state)).toEqual([
    'applied',
    'unchanged',
    'unknown',
  ]))

test('the outcome is not-applied if the balance is still unchanged after the settling time', () => {
  const unchanged = { state: 'unchanged', how: 'the balance is 100.00 as before' } as const
  expect(verdictOf(unchanged, SETTLING_MS - 1).state).toBe('unknown')
  expect(verdictOf(unchanged, SETTLING_MS)).toEqual({ ...unchanged, state: 'not-applied' })
  expect(verdictOf({ state: 'applied', how: '' }, 0).state).toBe('applied')
  expect(verdictOf({ state: 'unknown', how: '' }, 10 * SETTLING_MS).state).toBe('unknown')
})

test.each([
  ['25', 2500n],
  ['25.1', 2510n],
  ['25.00', 2500n],
  ['-0.05', -5n],
  ['0.050', 5n],
  ['25.001', null],
  ['1e2', null],
  ['', null],
])('centsOf parses the amount %j as %s cents', (text, cents) => expect(centsOf(text)).toBe(cents))

test.each([
  ['75.05000000000001', 7505n],
  ['75.04999999999999', 7505n],
  ['0.30000000000000004', 30n],
  ['-0.30000000000000004', -30n],
  ['-75.04999999999999', -7505n],
  ['99.99999999999999', 10_000n],
  ['1e2', 10_000n],
  ['1.0E+2', 10_000n],
  ['7505e-2', 7505n],
  ['-1E1', -1000n],
  ['7.5055e1', null],
  ['1e400', null],
  ['75.055', null],
  ['75.0501', null],
])('parseBalanceCents parses the balance %j as %s cents', (text, cents) => expect(parseBalanceCents(text)).toBe(cents))

test('centsText formats cents as currency units with two decimal places', () =>
  expect([5n, 0n, -5n, 123_456n].map(centsText)).toEqual(['0.05', '0.00', '-0.05', '1234.56']))

test('a process counts as running only if it exists and has not been replaced by another process with its ID', () => {
  const here = getCurrentOwner()
  expect(getLiveness(here)).toBe('this-process')
  expect(getLiveness({ ...here, pid: process.ppid, born: null })).toBe('running')
  expect(getLiveness({ ...here, pid: 2 ** 30 })).toBe('gone')
  // Check a different process with the same ID, and then the same process ID after a reboot.
  if (here.born !== null) expect(getLiveness({ ...here, born: `${here.born}0` })).toBe('gone')
  if (here.boot !== null) expect(getLiveness({ ...here, boot: 'another' })).toBe('gone')
  if (here.pidNamespace !== null) expect(getLiveness({ ...here, pidNamespace: 'another' })).toBe('out-of-sight')
})
