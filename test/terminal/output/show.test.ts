import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { skipWithout } from '../../support/needs.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { runInTerminal, runLineInTerminal, shellLine, TERMINAL } from '../../support/terminal.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'

const { run, env } = await venueOfThisFile()

const BOOKING = { bookingId: 'BK-9', bookingTime: '2026-11-20T19:30:00', people: 4, status: { name: 'Confirmed' } }

async function oneBooking() {
  const act = answers(200, { bookings: [BOOKING] })
  return { ...freshHome(), ...(await startRawServer([act, act, act])).env, PARTNER_TIMEZONE: 'Australia/Sydney' }
}

describe('one-day lists', () => {
  test('at a terminal, a one-day list shows the date in its footer and only times in its cells', async (context) => {
    skipWithout(context, TERMINAL)
    const { screen } = await runInTerminal(['bookings', 'list', '--from', '2026-11-20'], [], await oneBooking())
    expect(screen).toMatch(/^19:30 +4 /m)
    expect(screen).toMatch(/^1 booking on Fri 2026-11-20 \(Australia\/Sydney\) · guests: --include-customer\s*$/m)
  })

  test.for<readonly [what: string, flags: readonly string[]]>([
    ['bookings of two days', ['--from', '2026-11-20', '--to', '2026-11-21']],
    ['bookings changed on one day', ['--updated-from', '2026-11-20', '--updated-to', '2026-11-20']],
  ])('a list of %s shows dates in its cells', async ([, flags], context) => {
    skipWithout(context, TERMINAL)
    const args = ['bookings', 'list', ...flags]
    expect((await runInTerminal(args, [], await oneBooking())).screen).toMatch(/^2026-11-20 19:30 +4 /m)
  })

  test('a one-day list shows dates in its cells if its footer is not visible', async (context) => {
    const args = ['bookings', 'list', '--from', '2026-11-20', '--to', '2026-11-20']
    expect((await run(...args, '--limit', '1')).stdout).toMatch(/^(?:TIME.*\n2026-11-20 \d\d:\d\d .*\n)?$/)
    skipWithout(context, TERMINAL)
    const line = `${shellLine(args)} 2>/dev/null`
    expect((await runLineInTerminal(line, [], await oneBooking())).screen).toMatch(/^2026-11-20 19:30 +4 /m)
  })
})

describe('columns hidden on a narrow screen', () => {
  test('a list suggests a --columns flag that shows its hidden columns', async (context) => {
    skipWithout(context, TERMINAL)
    const narrow = (args: readonly string[]) =>
      runLineInTerminal(`stty cols 60; ${shellLine(args)}`, [], { ...freshHome(), ...env })
    for (const list of [
      ['bookings', 'list', '--from', '-2d', '--to', '+7d', '--include-customer', '--limit', '3'],
      // The venue is open on at least one day in this range.
      ['bookings', 'schedule', '--from', '+1d', '--to', '+5d', '--people', '2'],
      ['giftcards', 'list', '--limit', '3'],
      ['customers', 'list', '--limit', '3'],
      ['sales', 'list', '--from', '-14d', '--to', 'today', '--limit', '3'],
    ]) {
      const [, columns = ''] = /Columns hidden [\s\S]*?(--columns \S+)/.exec((await narrow(list)).screen) ?? []
      expect(columns, list.join(' ')).not.toBe('')
      const { code, screen } = await narrow([...list, ...columns.split(' ')])
      expect(code).toBe(0)
      expect(screen).not.toMatch(/No room|warning/)
      for (const name of columns.slice('--columns '.length).split(',')) expect(screen).toContain(name)
    }
  })
})

describe('unknown columns in --columns', () => {
  test.each(['table', 'json', 'ndjson', 'csv', 'tsv'])(
    'an unknown column causes a warning with -o %s',
    async (format) => {
      const columns = ['--columns', 'remainingAmout,cardNumber,recipientFirstName', '-o', format]
      for (const line of ['giftcards list --limit 2', 'giftcards get GIFT1-00000100-AAAA']) {
        const done = await run(...words(line), ...columns)
        expect(done.code).toBe(0)
        const says = "no gift card here has 'remainingAmout' (from --columns); did you mean remainingAmount?"
        expect(done.stderr.split('\n')[0]).toBe(`warning: ${says}`)
        if (format === 'ndjson') expect(done.stdout).toMatch(/^\{"remainingAmout":null,"cardNumber":"/)
      }
    },
  )

  test.each([
    ['pax', 'people'],
    ['BOOKING-ID', 'bookingId'],
    ['guest', 'customer.lastName'],
  ])('--columns suggests the column under the heading %s: %s', async (title, path) => {
    const { stderr } = await run('bookings', 'list', '--from', '-7d', '--to', '+7d', '--columns', title, '-o', 'csv')
    expect(stderr).toContain(`(from --columns); did you mean ${path}?`)
  })

  test('the warning about a column that the service omitted suggests the flag that requests it', async () => {
    const { code, stderr } = await run(...words('bookings list --from -14d --to today --columns customer.email'))
    expect(code).toBe(0)
    const says = "no booking here has 'customer.email' (from --columns); add --include-customer"
    expect(stderr.split('\n')[0]).toBe(`warning: ${says}`)
  })
})

describe('amounts in a table', () => {
  test("amounts have two decimal places in a table, but keep the service's digits in CSV and with -r", async () => {
    const body = '[{"code":"a","remainingAmount":10,"price":33.333,"id":1}]'
    const act = answers(200, body, { 'content-type': 'application/json' })
    const server = await startRawServer(Array.from({ length: 6 }, () => act))
    const shown = async (...args: string[]) => (await server.run(['bookings', 'statuses', ...args])).stdout
    const table = 'id  remainingAmount   price\n 1            10.00  33.333\n'
    expect(await shown('--columns', 'id,remainingAmount,price')).toBe(table)
    expect(await shown('--query', '[].{left: remainingAmount, id: id}', '-o', 'table')).toBe(' left  id\n10.00   1\n')
    const pairs = await shown('--query', '[].[id, remainingAmount]', '-o', 'table')
    expect(pairs).toBe('id  remainingAmount\n 1            10.00\n')
    const both = await shown('--query', '[0].{left: remainingAmount, amount: remainingAmount}', '-o', 'table')
    expect(both).toMatch(/amount +10\.00$/m)
    expect(await shown('--columns', 'remainingAmount', '-o', 'csv')).toBe('remainingAmount\n10\n')
    expect(await shown('--query', '[].remainingAmount', '-r')).toBe('10\n')
  })
})

describe('columns that a command does not have', () => {
  test.each([
    ['operations list --profile sandbox --columns id,amuont', '"amuont"', /did you mean amount\?/],
    ['profiles list --columns name,nope', '"nope"', /the columns are name, current, builtIn/],
    ['profiles use sandbox --columns nope', '"nope"', /the columns are current/],
    ['sandbox clock reset --columns nwo', '"nwo"', /did you mean now\?/],
    ['doctor --columns nmae', '"nmae"', /did you mean name\?/],
  ])('an unknown column is a usage error: %s', async (line, says, next) => {
    const env = freshHome()
    expectRefusal(await runPartner(words(line), { env }), { code: 2, says, next })
    expect(existsSync(env.PARTNER_CONFIG_DIR), 'nothing is stored before the check').toBe(false)
  })

  test.each([
    'profiles list --columns name,shape.anything',
    'doctor --profile sandbox --columns status,message --json',
    'operations list --profile sandbox --dry-run --columns url',
    'profiles list --query [].{a:name} --columns a',
  ])('the columns in this command line are accepted: %s', async (line) => {
    const { code, stderr } = await runPartner(words(line), { env: freshHome() })
    expect(stderr).not.toContain('does not have')
    expect(code === 2 && !/unknown flag/.test(stderr), stderr).toBe(false)
  })
})
