import { describe, expect, test } from 'vitest'
import { balanceCentsOf, centsOf, centsText } from '../../src/money/cents.ts'
import type { Movement, Operation } from '../../src/money/operation.ts'
import { isAlive, ownerHere } from '../../src/money/owner.ts'
import { judgeCancel, judgeRedeem, SETTLING_MS } from '../../src/money/verdict.ts'

const SENT_AT = 1_000_000
const LATER = SENT_AT + SETTLING_MS

const redeem: Operation = {
  ...{ id: 'op_1', command: 'giftcards redeem', service: 's', target: 'c', amount: '25.00', profile: null },
  ...{
    state: 'open',
    phase: 'sending',
    startedAt: SENT_AT,
    sentAt: SENT_AT,
    before: '10000',
    how: null,
    endedAt: null,
  },
  ...{ pid: 1, born: null },
}
const maybe = (cents: bigint): Movement => ({ cents, isCertain: false })
const certainly = (cents: bigint): Movement => ({ cents, isCertain: true })
const judged = (balance: bigint, others: readonly Movement[] = [], now = LATER, status: string | null = 'Active') =>
  judgeRedeem(redeem, { balance, status }, others, now).state

describe('a redeem of 25.00 off 100.00 is', () => {
  test('applied when 25.00 are gone, at once', () => expect(judged(7500n, [], SENT_AT)).toBe('applied'))
  test('unknown when nothing is gone, and not applied a minute later', () => {
    expect(judged(10_000n, [], LATER - 1)).toBe('unknown')
    expect(judged(10_000n)).toBe('not-applied')
  })
  test.each([9900n, 7499n, 5000n, 0n, 12_500n])('unknown when the balance is %s cents', (balance) => {
    expect(judged(balance)).toBe('unknown')
  })
  test('applied when another one certainly took the rest of what is gone', () => {
    expect(judged(5000n, [certainly(2500n)])).toBe('applied')
    expect(judged(7500n, [certainly(2500n)])).toBe('not-applied')
  })
  test('unknown when another one may have taken what is gone', () => {
    expect(judged(7500n, [maybe(2500n)])).toBe('unknown')
    expect(judged(7500n, [maybe(1000n), maybe(1500n)])).toBe('unknown')
    expect(judged(7500n, [maybe(1000n)])).toBe('applied')
    expect(judged(9000n, [maybe(1000n)])).toBe('not-applied')
  })
  test('unknown when more of them are open than can be told apart', () => {
    expect(
      judged(
        7500n,
        Array.from({ length: 11 }, () => maybe(1n)),
      ),
    ).toBe('unknown')
  })
  test('unknown when the card was cancelled and shows nothing any more, even where that is the amount', () => {
    const all: Operation = { ...redeem, before: '2500' }
    expect(judgeRedeem(all, { balance: 0n, status: 'Cancelled' }, [], LATER).state).toBe('unknown')
    expect(judgeRedeem(all, { balance: 0n, status: 'Redeemed' }, [], LATER).state).toBe('applied')
    expect(judgeRedeem(all, { balance: 0n, status: null }, [], LATER).state).toBe('applied')
  })
  test('unknown when the balance before was never read', () => {
    expect(judgeRedeem({ ...redeem, before: null }, { balance: 7500n, status: 'Active' }, [], LATER).state).toBe(
      'unknown',
    )
  })
})

test('a cancellation is known by the status, and unknown where there is none', () => {
  const state = (status: string | null, now = LATER) => judgeCancel(redeem, status, now).state
  expect([state('Cancelled', SENT_AT), state('Active', SENT_AT), state('Active'), state(null)]).toEqual([
    'applied',
    'unknown',
    'not-applied',
    'unknown',
  ])
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
])('%j in cents is %s', (text, cents) => expect(centsOf(text)).toBe(cents))

test.each([
  ['75.05000000000001', 7505n],
  ['75.04999999999999', 7505n],
  ['0.30000000000000004', 30n],
  ['-0.30000000000000004', -30n],
  ['-75.04999999999999', -7505n],
  ['99.99999999999999', 10_000n],
  ['75.055', null],
  ['75.0501', null],
])('a balance of %j in cents is %s', (text, cents) => expect(balanceCentsOf(text)).toBe(cents))

test('cents as currency units have two decimals', () => {
  expect([5n, 0n, -5n, 123_456n].map(centsText)).toEqual(['0.05', '0.00', '-0.05', '1234.56'])
})

test('a process is alive when it runs and is the one it was', () => {
  const here = ownerHere()
  expect(isAlive(here)).toBe(true)
  expect(isAlive({ ...here, pid: 2 ** 30 })).toBe(false)
  // Another one with the same id, as containers have them.
  if (here.born !== null) expect(isAlive({ ...here, born: `${here.born}0` })).toBe(false)
})
