import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DIST } from '../../../support/distribution.ts'
import { runPartner } from '../../../support/partner.ts'
import { answers, startRawServer } from '../../../support/raw-server.ts'
import { expectRefusal } from '../../../support/refusal.ts'
import { words } from '../../../support/words.ts'

const BOOKING = { bookingId: 'BK-1', people: 2 }

/** Runs a command line against a service that has a single booking. */
async function answered(line: string) {
  return runPartner(words(line), { env: (await startRawServer(() => answers(200, BOOKING))).env })
}

describe('global flags before and between the words of a command', () => {
  test.each([
    '--json bookings get BK-1',
    '-o json bookings get BK-1',
    '-ojson bookings get BK-1',
    '--output=json bookings get BK-1',
    'bookings --json get BK-1',
    'bookings -o json get BK-1',
    '--retries 0 bookings --timeout 5s get BK-1 -o json',
    '-q bookings get --json BK-1',
    '-qojson bookings get BK-1',
    '--no-input --no-color --json bookings get BK-1',
  ])('partner accepts global flags anywhere: partner %s', async (line) => {
    const run = await answered(line)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toEqual(BOOKING)
  })

  test('-p selects the profile even if it precedes the command', async () => {
    const run = await runPartner(words('-p sandbox giftcards get GIFT2-00005025-AAAA --json --columns cardNumber'))
    expect(run).toMatchObject({ code: 0, stdout: '{"cardNumber":"GIFT2-00005025-AAAA"}\n' })
    expect(await runPartner(words('--profile=nope bookings statuses'))).toMatchObject({ code: 4 })
  })

  test.each([
    ['--jsn bookings list', /unknown flag --jsn; did you mean --json\?/],
    ['--from today bookings list', /unknown flag --from/],
    ['bookings --from today list', /unknown flag --from/],
    ['-p sandbox', /no command was given/],
    ['-p', /no command was given/],
    ['bookings statuses -p', /--profile expects a value/],
    ['-p sandbox bokings list', /did you mean "partner bookings list"/],
    ['-p sandbox profiles use x', /unknown flag -p: partner profiles use does not call the service/],
    ['--dry-run timeline booking x', /unknown flag --dry-run: partner timeline booking only reads/],
  ])('partner %s exits with code 2', async (line, says) => expectRefusal(await answered(line), { code: 2, says }))
})

describe('--help together with other flags', () => {
  const page = (path: string) => readFileSync(join(DIST, 'help', path), 'utf8')

  test.each([
    ['-p sandbox bookings list --help', 'commands/bookings.list.txt'],
    ['--json bookings -h', 'topics/bookings.txt'],
    ['-h bookings list', 'commands/bookings.list.txt'],
    ['bookings --json list -h', 'commands/bookings.list.txt'],
    ['bookings list --nonsense -h', 'commands/bookings.list.txt'],
    ['bookings get BK-1 -x -h', 'commands/bookings.get.txt'],
    ['--profile=sandbox help bookings list', 'commands/bookings.list.txt'],
    ['help bookings list', 'commands/bookings.list.txt'],
    ['help bookings list --json', 'commands/bookings.list.txt'],
    ['bookings help', 'topics/bookings.txt'],
    ['sandbox faults help', 'topics/sandbox.faults.txt'],
    ['help flags', 'flags.txt'],
    ['help help', 'partner.txt'],
    ['-q --help', 'partner.txt'],
    ['-p bookings --help', 'partner.txt'],
  ])('partner %s prints the help page %s', async (line, file) => {
    expect(await runPartner(words(line))).toEqual({ code: 0, stdout: page(file), stderr: '' })
  })

  test.each(['--version', '-V', 'version', '-q --version', '-p sandbox -V', '--version please'])(
    'partner %s prints the version',
    async (line) => expect((await runPartner(words(line))).stdout).toMatch(/^partner\/\d/),
  )

  test.each([
    ['help bokings', /unknown command "bokings"; did you mean "partner bookings"/],
    ['help bookings lst', /did you mean "partner bookings list"/],
    ['bookings get --hlep', /unknown flag --hlep; did you mean --help\?/],
    ['bookings list --help=1', /--help takes no value/],
    ['bookings list help', /unexpected argument "help"/],
  ])('partner %s exits with code 2 and refers to help', async (line, says) => {
    expectRefusal(await answered(line), { code: 2, says, next: /--help/ })
  })
})
