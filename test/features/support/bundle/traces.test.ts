import { describe, expect, test } from 'vitest'
import { SensitiveData } from '../../../../src/features/support/bundle/cleaning/sensitive-data.ts'
import {
  findCards,
  findEmails,
  findInternationalPhones,
  findKnownPhones,
  replaceSpans,
} from '../../../../src/features/support/bundle/traces.ts'

const found = (text: string, find: (text: string) => readonly { start: number; end: number }[]) =>
  find(text).map(({ start, end }) => text.slice(start, end))

describe('detection of e-mail addresses', () => {
  test.each([
    ['write to anna.o’neill+table@mail.venue.example, please', ['anna.o’neill+table@mail.venue.example']],
    ['{"email":"a@b.example"}', ['a@b.example']],
    ['jürgen@müller.example', ['jürgen@müller.example']],
    ['a@b.example,c@d.example', ['a@b.example', 'c@d.example']],
  ])('findEmails finds all addresses in %s', (text, expected) => expect(found(text, findEmails)).toEqual(expected))

  test.each(['fflate@0.8.3', '@home', 'a @ b.example', 'user@localhost', '••••@proxy.example:3128', ''])(
    'findEmails finds no address in "%s"',
    (text) => expect(found(text, findEmails)).toEqual([]),
  )

  test('findEmails is fast for long text without e-mail addresses', () =>
    expect(found('a'.repeat(2_000_000), findEmails)).toEqual([]))
})

describe('detection of phone numbers', () => {
  test.each(['+61412345678', '+61 412 345 678', '+44 (0)20-7946.0958', '+12345678'])(
    'findInternationalPhones finds %s',
    (text) => expect(found(`call ${text}, please`, findInternationalPhones)).toEqual([text]),
  )

  test.each(['2026-11-22T19:30:00+11:00', '+1234567', '20261122193000', '1732275000000', '12:00+0530', 'a+b', '1e+10'])(
    'findInternationalPhones finds nothing in %s',
    (text) => expect(found(text, findInternationalPhones)).toEqual([]),
  )

  const known = new SensitiveData()
  known.learnPhone('+61 412 345 678')
  const findKnown = (text: string) => findKnownPhones(text, known.phones)

  test.each([
    ['it is 0412345678.', ['0412345678']],
    ['0412 345 678 or (61) 412-345-678', ['0412 345 678', '61) 412-345-678', '412-345-678']],
    ['"0412345678"', ['0412345678']],
  ])('findKnownPhones finds all spellings of a known number in %s', (text, expected) =>
    expect(found(text, findKnown)).toEqual(expected),
  )

  test.each(['104123456789', '04123456780', '04123456789', '0412:345:678'])(
    'findKnownPhones does not find a known number inside %s',
    (text) => expect(found(text, findKnown)).toEqual([]),
  )
})

test('findCards finds card numbers in upper and lower case, but not UUIDs or hyphenated words', () => {
  expect(found('GIFT1-00000100-AAAA, gift2-00005025-aaaa; ABCDE-ABCDEFGH-ABCD', findCards)).toEqual([
    'GIFT1-00000100-AAAA',
    'gift2-00005025-aaaa',
    'ABCDE-ABCDEFGH-ABCD',
  ])
  expect(found('5f1d7a3e-12cd-4d00-8a2b-34cd5f1d7a3e guest-customer-link XGIFT1-00000100-AAAA', findCards)).toEqual([])
})

test('replaceSpans replaces overlapping spans only once', () => {
  const span = (start: number, end: number) => ({ start, end })
  expect(replaceSpans('abcdefghij', [span(2, 6), span(0, 4), span(8, 9)], (text) => `<${text}>`)).toBe('<abcd>efgh<i>j')
})
