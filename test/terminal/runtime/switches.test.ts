import { describe, expect, test } from 'vitest'
import { manifestCommands } from '../../support/distribution.ts'
import { needs } from '../../support/needs.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'

/** Returns the environment for a fresh home directory, with the built-in sandbox as the current profile. */
const sandboxed = () => ({ ...freshHome(), PARTNER_PROFILE: 'sandbox' })

describe('flags shared by all commands', () => {
  test.each(['quiet', 'no-input', 'no-color', 'output', 'json', 'yes', 'verbose'])(
    'every command accepts --%s',
    (flag) => {
      const without = manifestCommands().filter(({ flags }) => !(flag in flags))
      expect(without.map(({ words }) => words)).toEqual([])
    },
  )
})

describe('--quiet', () => {
  test.each([
    `giftcards redeem ${CARD} --amount 5`,
    'bookings list --from today',
    'profiles use sandbox',
    'sandbox reset --yes',
    'sandbox seed --yes --bookings 5 --json',
    'bookings update-pax BK-1 3 --dry-run --curl',
  ])('--quiet prints nothing on stderr: %s', async (line) => {
    const env = sandboxed()
    for (const flag of ['-q', '--quiet'])
      expect(await runPartner([...words(line), flag], { env })).toMatchObject({ code: 0, stderr: '' })
  })

  test('--quiet prints nothing on stderr, even if PARTNER_DEBUG is set', async () => {
    const env = { ...sandboxed(), PARTNER_DEBUG: '1' }
    expect(await runPartner(words('-q bookings statuses'), { env })).toMatchObject({ code: 0, stderr: '' })
  })

  test('--quiet does not suppress errors', async () => {
    expectRefusal(await runPartner(words('giftcards get x -q')), { code: 2, says: 'is not a gift card number' })
    const server = await startRawServer([answers(404, { message: 'No.' })])
    const run = await runPartner(words('-q bookings get BK-1 --json'), { env: server.env })
    expect(reportedError(run)).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('--quiet with --verbose is a usage error', async () =>
    expectRefusal(await runPartner(words('profiles list -qv')), { code: 2, says: '--quiet and --verbose' }))
})

describe('global flags at a terminal', () => {
  needs(TERMINAL)

  test('--quiet suppresses neither a confirmation prompt nor the details before it', async () => {
    const redeem = words(`giftcards redeem ${CARD} --amount 5 -q`)
    const { code, screen } = await runInTerminal(redeem, [['(y/N)', 'n\r']], sandboxed())
    expect(code).toBe(130)
    expect(screen).toContain(CARD)
  })

  test.each([
    [
      'refuses an unconfirmed write',
      ['giftcards', 'cancel', CARD, '--no-input'],
      /needs confirmation[\s\S]*next: add --yes/,
    ],
    ['lists missing reservation flags', ['--no-input', 'reservations', 'create'], /--people is required/],
  ])('--no-input at a terminal %s', async (_what, args, says) => {
    const { code, screen } = await runInTerminal(args, [], sandboxed())
    expect(code).toBe(2)
    expect(screen).toMatch(says)
  })

  test.each([{}, { FORCE_COLOR: '1' }])('--no-color turns colours off in the environment %j', async (more) => {
    const env = { ...sandboxed(), ...more }
    const list = ['bookings', 'statuses']
    expect((await runInTerminal(list, [], env)).isPainted).toBe(true)
    expect((await runInTerminal([...list, '--no-color'], [], env)).isPainted).toBe(false)
    expect((await runInTerminal(['--no-color', ...list, '--nonsense'], [], env)).isPainted).toBe(false)
  })
})

test('--no-color overrides FORCE_COLOR for piped data and errors', async () => {
  const env = { ...sandboxed(), FORCE_COLOR: '1' }
  for (const line of ['bookings statuses', 'giftcards get x', 'bookings statuses --nonsense']) {
    const painted = await runPartner(words(line), { env })
    expect(painted.stdout + painted.stderr).toMatch(/\u001b\[/)
    const plain = await runPartner(['--no-color', ...words(line)], { env })
    expect(plain.stdout + plain.stderr).not.toMatch(/\u001b/)
  }
})

describe('PARTNER_OUTPUT', () => {
  const run = async (line: string, format: string) => {
    const server = await startRawServer([answers(200, [{ code: 'X' }])])
    return runPartner(words(line), { env: { ...server.env, PARTNER_OUTPUT: format } })
  }

  test('PARTNER_OUTPUT sets the default format, and flags override it', async () => {
    expect((await run('bookings statuses', 'json')).stdout).toMatch(/^\[\n/)
    expect((await run('bookings statuses', 'csv')).stdout).toMatch(/^code,name,statusType/)
    expect((await run('bookings statuses -o ndjson', 'csv')).stdout).toBe('{"code":"X"}\n')
    expect((await run('bookings statuses --json', 'csv')).stdout).toMatch(/^\[\n/)
    expect((await run('bookings statuses', '')).stdout).toMatch(/CODE/)
  })

  test.each(['xml', 'JSON', ' '])('PARTNER_OUTPUT=%j is a usage error', async (format) => {
    expectRefusal(await run('bookings statuses', format), { code: 2, says: /PARTNER_OUTPUT must be one of table, / })
    expectRefusal(await run('profiles list', format), { code: 2, says: /PARTNER_OUTPUT must be one of table, / })
  })

  test('PARTNER_OUTPUT is ignored, even if invalid, when a flag sets the format', async () => {
    expect(await run('bookings statuses --json', 'xml')).toMatchObject({ code: 0 })
    expect(await run('bookings statuses -o csv', 'xml')).toMatchObject({ code: 0 })
  })
})

describe('--json', () => {
  test('--json together with another format is a usage error, and no request is sent', async () => {
    const server = await startRawServer([answers(200, [{ code: 'X' }])])
    for (const format of ['table', 'ndjson', 'csv', 'tsv']) {
      const done = await runPartner(['bookings', 'statuses', '--json', '-o', format], { env: server.env })
      const message = `--json cannot be used together with -o ${format}`
      expect(reportedError(done)).toMatchObject({ code: 'USAGE', message })
    }
    const paged = await runPartner(words('api GET /Customers --paginate --json -o csv'), { env: server.env })
    expect(reportedError(paged)).toMatchObject({ code: 'USAGE' })
    expect(server.connections).toBe(0)
    expect(await runPartner(words('bookings statuses --json -o json'), { env: server.env })).toMatchObject({ code: 0 })
  })
})

test('the error about an invalid PARTNER_RETRIES value names the variable', async () => {
  const env = { PARTNER_RETRIES: 'many', PARTNER_PROFILE: 'sandbox' }
  const says = /PARTNER_RETRIES must be a whole number from 0 to 20, not "many"\nnext: correct the variable or unset it/
  expectRefusal(await runPartner(words('bookings statuses'), { env }), { code: 2, says })
})
