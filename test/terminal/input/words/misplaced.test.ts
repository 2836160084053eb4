import { describe, expect, test } from 'vitest'
import { runPartner } from '../../../support/partner.ts'
import { words } from '../../../support/words.ts'

async function refusalOf(...line: string[]): Promise<string> {
  const refused = await runPartner(line, {})
  expect([refused.code, refused.stdout]).toEqual([2, ''])
  return refused.stderr
}

describe('values whose flag is missing', () => {
  test.each([
    ['giftcards redeem GIFT2-00005025-AAAA 10.25', '--amount 10.25'],
    ['bookings update-tables BK-1001 T5', '--table T5'],
    ['bookings list today', '--date today'],
    ['bookings list charlotte taylor', '--guest "charlotte taylor"'],
    ['bookings schedule 2026-12-24', '--date 2026-12-24'],
    ['customers list taylor', '--search taylor'],
  ])('partner %s suggests the missing flag: %s', async (line, meant) =>
    expect(await refusalOf(...words(line))).toContain(`; did you mean ${meant}?\n`),
  )

  test('no flag is suggested for a word that a shell would expand', async () =>
    expect(await refusalOf('customers', 'list', '$(reboot)')).toContain('unexpected argument "$(reboot)"\n'))
})

describe('flags given instead of arguments', () => {
  test.each([
    ['bookings update-pax BK-1001 --people 6', 'PEOPLE', 'bookings update-pax BK-1001 6'],
    ['bookings update-pax --pax=6 BK-1001 -p sandbox', 'PEOPLE', 'bookings update-pax BK-1001 -p sandbox 6'],
    ['bookings update-status BK-1001 --status SEATED', 'CODE', 'bookings update-status BK-1001 SEATED'],
    ['bookings get --id BK-1001', 'ID', 'bookings get BK-1001'],
    ['giftcards get --card GIFT2-00005025-AAAA', 'CARD', 'giftcards get GIFT2-00005025-AAAA'],
  ])(
    'partner %s explains that %s is an argument, and suggests this command: partner %s',
    async (line, argument, usage) => {
      const said = await refusalOf(...words(line))
      expect(said).toContain(`; ${argument} is an argument, not a flag\n`)
      expect(said).toContain(`next: run partner ${usage}\n`)
    },
  )
})

test('the error message for an unknown flag shortens a very long flag', async () =>
  expect((await refusalOf('bookings', 'list', `--${'x'.repeat(3000)}`)).length).toBeLessThan(200))
