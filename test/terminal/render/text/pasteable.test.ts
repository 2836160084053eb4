import { describe, expect, test } from 'vitest'
import { wrapPasteable } from '../../../../src/terminal/render/text/pasteable.ts'
import { openRuler } from '../../../../src/terminal/render/text/width.ts'

const ruler = await openRuler(['寿司'])
const wrapped = (text: string, columns: number) => wrapPasteable(text, columns, ruler)

describe('wrapPasteable', () => {
  const ID = '20261120T083000Z-giftcards-redeem-7c1f9d2e-5b0a-4c3e-9f12-8a6b3d4e5f60'

  test('wrapPasteable breaks text at spaces', () => {
    expect(wrapped('one two three four', 9)).toEqual(['one two', 'three', 'four'])
    expect(wrapped('fits  as it is', 20)).toEqual(['fits  as it is'])
  })

  test.each([
    ['an ID', `the outcome of operation «${ID}» is not known`],
    ['a URL', `the service at «https://partner.example/v1/${'a'.repeat(60)}?b=c» did not answer`],
    ['a path', `cannot write «/home/someone/${'x'.repeat(70)}/operations.json»`],
    ['a command', `look with: «partner operations resolve ${ID} --wait 60s;» or use --force`],
    ['a quoted word', 'see the statuses, then run «partner bookings update-status "BK 1" SEATED» to go on'],
    ['a command in quotes', 'unknown command "reservations list"; did you mean «"partner bookings list"?»'],
    [
      'quoted text with spaces',
      `add the time: --time "2026-12-24 19:30"; or choose «'/tmp/night shift/venue one.db'» instead`,
    ],
    ['a value of a flag', 'write «--time="2026-12-24 at half past seven"» to go on with it'],
    ['a path in another script', `cannot write «/home/josé/${'ü'.repeat(70)}/venue.db» today`],
    [
      'a command with a value that has spaces',
      "see: «partner timeline giftcard GIFT1 --copy '/tmp/night shift/venue; one.db' --profile a;» then go on",
    ],
    ['a system command', `make it: «mkdir -p /tmp/${'x'.repeat(70)};» then go on`],
    ['a list of columns', `«(partner bookings list --columns ${'a.b,'.repeat(20)}c)»`],
  ])('wrapPasteable never breaks %s', (_what, marked) => {
    const [, whole = ''] = /«(.*)»/.exec(marked) ?? []
    const text = marked.replace(/[«»]/g, '')
    for (const columns of [20, 40, 60, 73]) {
      const rows = wrapped(text, columns)
      expect(rows).toContainEqual(expect.stringContaining(whole))
      expect(rows.join(' ')).toBe(text)
    }
  })

  test('wrapPasteable keeps punctuation attached to the command before it', () => {
    const text = 'unknown command "giftcards balance"; did you mean "partner giftcards get"?'
    expect(wrapped(text, 72)).toEqual(['unknown command "giftcards balance"; did you mean', '"partner giftcards get"?'])
  })

  test('wrapPasteable can break a line after a command in the middle of a sentence', () =>
    expect(wrapped('run partner operations list to see what is open', 30)).toEqual([
      'run partner operations list to',
      'see what is open',
    ]))

  test.each([
    `${'x'.repeat(33)}next:\u00a0run\u00a0evil`,
    `${'x'.repeat(33)}error:everything-is-lost`,
    '表'.repeat(40),
  ])("wrapPasteable breaks text that could imitate one of partner's own lines: %s", (text) => {
    for (const row of wrapped(text, 33)) expect(ruler.width(row)).toBeLessThanOrEqual(33)
  })
})
