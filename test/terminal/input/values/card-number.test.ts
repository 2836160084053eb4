import { describe, expect, test } from 'vitest'
import { Failure } from '../../../../src/base/failure/failure.ts'
import { parseCardNumber } from '../../../../src/terminal/input/values/card-number.ts'
import { expectRefusal } from '../../../support/refusal.ts'
import { venueOfThisFile } from '../../../support/venue.ts'
import { words } from '../../../support/words.ts'

const { run } = await venueOfThisFile()

function complaint(typed: string): string {
  try {
    return `accepted: ${parseCardNumber(typed, true)}`
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.message
  }
}

test.each([
  'GIFT2-00005025-AAAA',
  ' gift2-00005025-aaaa\t',
  'Gift2-00005025-Aaaa',
  'VOIDS-00000000-CCCC',
  'OLDIE-LOOP2019-OIL0',
])('the card number %j is accepted in any case, with or without surrounding spaces', (typed) => {
  expect(parseCardNumber(typed, true)).toBe(typed.trim().toUpperCase())
})

describe('suggestions for mistyped card numbers', () => {
  test.each([
    ['no dashes', 'GIFT200005025AAAA'],
    ['spaces instead of dashes', 'gift2 00005025 aaaa'],
    ['spaces inside', 'GIFT2-0000 5025-AAAA'],
    ['spaces around dashes', 'GIFT2 - 00005025 - AAAA'],
    ['en-dashes', 'GIFT2–00005025–AAAA'],
    ['em-dashes and a no-break space', '\u00a0GIFT2—00005025—AAAA'],
    ['a minus sign', 'GIFT2−00005025−AAAA'],
    ['underscores', 'GIFT2_00005025_AAAA'],
    ['dashes in the wrong places', 'GIFT-20000-5025A-AAA'],
    ['O instead of 0', 'GIFT2-OOOO5025-AAAA'],
    ['o instead of 0', 'gift2-oooo5025-aaaa'],
    ['O instead of 0, and no dashes', 'GIFT2OOOO5O25AAAA'],
    ['full-width digits', 'GIFT2-００００5025-AAAA'],
    ['quotes', '"GIFT2-00005025-AAAA"'],
    ['a dotless i', 'gıft2-00005025-aaaa'],
  ])('a card number with %s is refused, and the correct number is suggested', (_, typed) =>
    expect(complaint(typed)).toContain('did you mean GIFT2-00005025-AAAA?'),
  )

  test.each([
    ['O instead of every 0', 'SPENT-OOOOOOOO-RRRR', 'SPENT-00000000-RRRR'],
    ['I instead of 1', 'GIFT1-0000OI00-AAAA', 'GIFT1-00000100-AAAA'],
    ['L instead of 1', 'GIFT1-00000L00-AAAA', 'GIFT1-00000100-AAAA'],
    ['a ligature', 'po\ufb06s-00000000-pppp', 'POSTS-00000000-PPPP'],
    ['a long s', 'po\u017ft\u017f-00000000-pppp', 'POSTS-00000000-PPPP'],
    ['a lower-case l instead of 1, among capitals', 'GIFTl-00000100-AAAA', 'GIFT1-00000100-AAAA'],
  ])('a card number with %s, such as %s, is refused, and %s is suggested', (_, typed, meant) =>
    expect(complaint(typed)).toContain(`did you mean ${meant}?`),
  )

  test.each(['GIFT2', '', 'GIFT2-00005025-AAA', 'GIFT2-00005025-AAAAA', 'GIFT2-0000502é-AAAA'])(
    'no card number is suggested for %j',
    (typed) => expect(complaint(typed)).toMatch(/^"[^"]*" is not a gift card number$/),
  )
})

describe.each([
  ['giftcards get', []],
  ['giftcards redeem', ['--amount', '1']],
  ['giftcards cancel', ['--yes']],
  ['inbound redeem', ['--amount', '1']],
  ['inbound balance', []],
])('mistyped card numbers in %s', (command, more) => {
  test(`${command} refuses a mistyped card number with exit code 2 and suggests the correct number`, async () =>
    expectRefusal(await run(...words(command), 'GIFT2-OOOO5025-AAAA', ...more), {
      code: 2,
      says: 'did you mean GIFT2-00005025-AAAA?',
      next: /nothing was sent/,
    }))

  test(`${command} refuses a card number with a dotless i and suggests the correct number`, async () =>
    expectRefusal(await run(...words(command), 'gıft2-00005025-aaaa', ...more), {
      code: 2,
      says: 'did you mean GIFT2-00005025-AAAA?',
      next: /nothing was sent/,
    }))

  test(`${command} --no-validate sends a mistyped card number as typed`, async () => {
    const typed = [...words(command), 'gift2-oooo5025-aaaa', ...more, '--no-validate']
    expect((await run(...typed, '--dry-run')).stdout).toContain('gift2-oooo5025-aaaa')
    expect([3, 10]).toContain((await run(...typed)).code)
  })
})
