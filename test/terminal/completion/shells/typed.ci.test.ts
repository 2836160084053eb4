import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noteSeen } from '../../../../src/terminal/completion/seen.ts'
import { needs } from '../../../support/needs.ts'
import { TERMINAL } from '../../../support/terminal.ts'
import { words } from '../../../support/words.ts'
import { installed, type TypedShell, typist } from './typing.ts'

// Types command lines in real shells and checks the words that a program receives.

const SHELLS: readonly TypedShell[] = ['bash', 'zsh', 'fish']
const ADD_FAULT = ['sandbox', 'faults', 'add', '--endpoint', 'POST /GiftCards/redeem']

describe.each(SHELLS)('completion of a command line typed in %s', (shell) => {
  needs(TERMINAL)
  needs(installed(shell))

  test.each([
    ['partner boo\tst\t', ['bookings', 'statuses']],
    ['partner -p sand\tboo\tsta\t', ['-p', 'sandbox', 'bookings', 'statuses']],
    ['partner bookings list --exclude-c\t', ['bookings', 'list', '--exclude-cancelled']],
    ['partner bookings list --output=js\t', ['bookings', 'list', '--output=json']],
    ['partner bookings list --output js\t', ['bookings', 'list', '--output', 'json']],
    ['partner webhooks get BOOKING_C\t', ['webhooks', 'get', 'BOOKING_CREATED']],
    ['partner sandbox faults add --endpoint "POST /GiftC\t', ADD_FAULT],
    ["partner sandbox faults add --endpoint 'POST /GiftC\t", ADD_FAULT],
    ['partner sandbox faults add --endpoint POST\\ /GiftC\t', ADD_FAULT],
    ['partner bookings list --from "tomorrow 07\t', ['bookings', 'list', '--from', 'tomorrow 07:00']],
    ['partner sales import sale.\t', ['sales', 'import', 'sale.json']],
    ['partner sales import two\t', ['sales', 'import', 'two words.json']],
    ['partner bookings list --har=two\t', ['bookings', 'list', '--har=two words.json']],
    ['partner bookings create --data @two\t', ['bookings', 'create', '--data', '@two words.json']],
    ['partner sandbox exec -- boo\t', ['sandbox', 'exec', '--', 'boo']],
  ] as const)(`${shell} completes a typed command line: %j`, async (line, expected) => {
    expect(await typist(shell).wordsOf(line)).toEqual(['partner', ...expected])
  })

  test(`${shell} lists the possible words, with descriptions if the shell supports them`, async () => {
    const screen = await typist(shell).screenOf('partner operations \t\t', 'show')
    for (const name of ['list', 'resolve', 'show']) expect(screen).toContain(name)
    if (shell !== 'bash') expect(screen).toMatch(/resolve.{1,8}Determine/)
  })

  test(`${shell} inserts a name that contains shell syntax as a plain word, without running anything`, async () => {
    const { wordsOf, directory, home } = typist(shell)
    const names = ['$(touch ran)', '`touch ran`', 'it\'s "so"', 'semi; touch ran', 'co:lon', 'new\nline; touch ran']
    mkdirSync(home.PARTNER_CONFIG_DIR)
    const profiles = Object.fromEntries(names.map((name) => [name, {}]))
    writeFileSync(join(home.PARTNER_CONFIG_DIR, 'profiles.json'), JSON.stringify({ current: 'co:lon', profiles }))
    noteSeen(home, 'co:lon', { statuses: [['NO SHOW $(touch ran)', '']], cards: ['GIFT1-00000100-AAAA'] })
    for (const [at, typed] of ['\\$', '\\`', 'it', 'semi', 'co'].entries())
      expect(await wordsOf(`partner -p ${typed}\t`)).toEqual(['partner', '-p', names[at]])
    expect(await wordsOf('partner --profile=co\tgift\tge\tG\t')).toEqual(
      words('partner --profile=co:lon giftcards get GIFT1-00000100-AAAA'),
    )
    expect(await wordsOf('partner bookings list --status N\t')).toEqual([
      ...words('partner bookings list --status'),
      'NO SHOW $(touch ran)',
    ])
    expect(await wordsOf('partner -p new\t')).toEqual(['partner', '-p', 'new'])
    expect(existsSync(join(directory, 'ran'))).toBe(false)
  })
})
