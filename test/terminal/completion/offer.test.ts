import { describe, expect, test } from 'vitest'
import { GUIDES } from '../../../src/base/failure/guides.ts'
import { manifestCommands } from '../../support/distribution.ts'
import { bashLines, described, offered, powershellLines } from './offered.ts'

const COMMANDS = manifestCommands().filter(({ hidden }) => !hidden)

describe('completion of commands, flags and flag values', () => {
  test.each(COMMANDS.map(({ words }) => words))('completion offers each word of partner %s', (words) => {
    const parts = words.split(' ')
    for (const [at, part] of parts.entries()) {
      expect(offered(`partner ${[...parts.slice(0, at), ''].join(' ')}`)).toContain(part)
      expect(offered(`partner -p sandbox ${[...parts.slice(0, at), part.slice(0, 2)].join(' ')}`)).toContain(part)
    }
  })

  test.each(COMMANDS)(
    'completion offers exactly the flags of partner $words, each with a description',
    ({ words, flags }) => {
      const found = described(`partner ${words} --`)
      const names = [...Object.keys(flags), 'help'].map((name) => `--${name}`)
      expect(found.map(([name]) => name).sort()).toEqual(names.sort())
      expect(found.filter(([, about]) => about === '')).toEqual([])
    },
  )

  test('completion offers the short form of every flag that has one', () => {
    const letters = COMMANDS.flatMap(({ words, flags }) =>
      Object.values(flags).flatMap(({ char }) => (char ? [{ words, char }] : [])),
    )
    for (const { words, char } of letters) expect(offered(`partner ${words} -`)).toContain(`-${char}`)
  })

  test('completion offers every allowed value of a flag', () => {
    const limited = COMMANDS.flatMap(({ words, flags }) =>
      Object.values(flags).flatMap(({ name, options }) => (options ? [{ words, name, options }] : [])),
    )
    expect(limited.length).toBeGreaterThan(COMMANDS.length)
    for (const { words, name, options } of limited) {
      expect(offered(`partner ${words} --${name} `)).toEqual(options)
      expect(offered(`partner ${words} --${name}=`)).toEqual(options.map((option) => `--${name}=${option}`))
    }
  })
})

describe('completion of --columns', () => {
  test.each([
    ['partner bookings list --columns bookingI', ['bookingId']],
    ['partner bookings list --columns=status.', ['statusType', 'code', 'name'].map((one) => `--columns=status.${one}`)],
    ['partner bookings list --columns bookingId,status.c', ['bookingId,status.code']],
    ['partner bookings list --columns bookingId,bookingI', []],
    ['partner profiles list --columns name,base', ['name,baseUrl']],
    ['partner operations list --columns target,st', ['target,state', 'target,startedAt']],
    ['partner doctor --columns stat', ['status']],
    ['partner api GET /Bookings --columns ', []],
  ])('for %j, completion offers %j', (line, expected) => expect(offered(line)).toEqual(expected))

  test('bash completes a --columns path after a comma', () =>
    expect(bashLines('partner bookings list --columns bookingId,status.c')).toEqual(['=bookingId,status.code']))
})

describe('completion of a command line', () => {
  test.each([
    ['partner boo', ['bookings']],
    ['partner bookings sync st', ['status']],
    ['partner -p sandbox -q boo', ['bookings']],
    ['partner bookings -o json sta', ['statuses']],
    ['partner bookings list nothing', []],
    ['partner nothing ', []],
    ['partner bookings list --no-', ['--no-validate', '--no-header', '--no-input', '--no-color']],
    ['partner bookings list --no-color --no-', ['--no-validate', '--no-header', '--no-input']],
    ['partner --no-color bookings list --no-', ['--no-validate', '--no-header', '--no-input']],
    ['partner bookings list -qy --qu', ['--query']],
    ['partner api GET / --param a=b --par', ['--param']],
    ['partner bookings list --output=json --out', []],
    ['partner bookings list -ojson --out', []],
    ['partner bookings list -o j', ['json']],
    ['partner bookings list -oj', ['-ojson']],
    ['partner -o=nd', ['-o=ndjson']],
    ['partner sandbox exec -- ', []],
    ['partner sandbox exec -- --', []],
    ['partner sandbox exec --cl', ['--clock', '--clock-frozen']],
    ['partner help boo', ['bookings']],
    ['partner help bookings sync un', ['unit']],
    ['partner help exit', ['exit-codes']],
    ['partner help guide sand', ['sandbox']],
    ['partner completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['partner webhooks create BOOKING_', ['BOOKING_CREATED', 'BOOKING_UPDATED']],
    ['partner webhooks replay x --event BOOKING_CREATED --event BOOKING_U', ['BOOKING_UPDATED']],
    ['partner api P', ['POST', 'PUT', 'PATCH']],
    ['partner sandbox faults add --status 50', ['500', '502', '503', '504']],
    ['partner sandbox faults add --phase ', ['before', 'after']],
    ['partner operations resolve OP --wait --as ', ['applied', 'not-applied']],
    ['partner bookings list --timeout 3', ['3ms', '3s', '3m', '3h', '3d']],
    ['partner bookings list --from -7', ['-7m', '-7h', '-7d']],
    ['partner bookings list --from t', ['today', 'tomorrow']],
    ['partner bookings list --date y', ['yesterday']],
    ['partner bookings create --data @', ['files 1']],
    ['partner bookings create --data x', []],
    ['partner bookings list --har ', ['files 0']],
    ['partner bookings list --har=', ['files 6']],
    ['partner sales import ', ['files 0']],
    ['partner profiles add dev --api-key file:', ['files 5']],
    ['partner profiles add dev --api-key f', ['file:']],
    ['partner profiles add dev --timezone Australia/Syd', ['Australia/Sydney']],
    ['partner giftcards redeem GIFT1-00000100-AAAA --amount ', []],
    ['VAR=1 OTHER= partner boo', ['bookings']],
  ] as const)('for %j, completion offers %j', (line, expected) => expect(offered(line)).toEqual(expected))

  test("completion offers a command's own flags, but no global flags, if the command accepts no more arguments", () => {
    expect(offered('partner bookings schedule ')).toContain('--people')
    expect(offered('partner bookings schedule ')).not.toContain('--profile')
  })

  test('completion offers the name of every guide after partner help', () => {
    const plain = offered('partner help ')
    const asGuides = offered('partner help guide ')
    expect(asGuides).toEqual([...GUIDES])
    for (const name of GUIDES) expect([...plain, ...asGuides]).toContain(name)
  })
})

describe('bash completion of quoted words', () => {
  test.each([
    ['partner sandbox faults add --endpoint "POST /GiftCards/r', ['=POST /GiftCards/redeem']],
    ["partner sandbox faults add --endpoint 'POST /GiftCards/r", ['=POST /GiftCards/redeem']],
    ['partner sandbox faults add --endpoint POST\\ /GiftCards/r', ['=POST\\ /GiftCards/redeem']],
    ['partner sandbox faults add --endpoint="POST /GiftCards/r', ['=POST /GiftCards/redeem']],
    ['partner sandbox faults add --endpoint=POST\\ /GiftCards/r', ['=POST\\ /GiftCards/redeem']],
    ['partner sandbox faults add --endpoint "GET /GiftCards/', ['=GET /GiftCards/{cardNumber}']],
    ['partner sandbox faults add --endpoint GET\\ /GiftCards/', ['=GET\\ /GiftCards/\\{cardNumber\\}']],
    ['partner bookings list --output=j', ['=json']],
    ['partner bookings list --har=', ['files 0']],
    ['partner bookings list --from "tomorrow 19', ['=tomorrow 19:00']],
    ['partner bookings list --from "tomorrow 19:', ['=tomorrow 19:00']],
    ['partner bookings list --from tomorrow\\ 19:', ['=00']],
    ['partner bookings create --data @', ['files 1']],
    ['partner "book', ['=bookings']],
    ['partner book"in', ['=ings']],
  ] as const)('for %j, bash completion offers these words, quoted as typed: %j', (line, expected) =>
    expect(bashLines(line)).toEqual(expected),
  )
})

test('PowerShell completion accepts empty words and offers no characters that the console would garble', () => {
  const events = powershellLines(['', 'partner', 'webhooks', 'get']).map((line) => line.split('\t')[0])
  expect(events).toContain('=BOOKING_CREATED')
  const lines = powershellLines(['--', 'partner', 'bookings', 'sync'])
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.filter((line) => line.includes('…'))).toEqual([])
})
