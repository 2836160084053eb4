import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { IN_A_WEEK } from '../../support/dates.ts'
import { freshDirectory, freshHome, type Run, runPartner } from '../../support/partner.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { words } from '../../support/words.ts'

const sandbox = await startSharedSandbox()
const env = { ...sandbox.env, PARTNER_TIMEZONE: 'Australia/Sydney' }
const GUEST = ['--first-name', '小芳', '--last-name', "O'Néill", '--phone', '+61 412 345 678']

type Slot = Readonly<Record<'service' | 'section' | 'utc', string>>

/** Free dinner slots for two, one per day. Each test takes its slots from here, so that no slot is used twice. */
let slots: Slot[] = []

interface Day {
  readonly services: readonly { readonly id: string; readonly times: readonly Time[] }[]
}
interface Time {
  readonly time: string
  readonly sections: readonly { readonly id: string; readonly sectionState: boolean }[]
}

beforeAll(async () => {
  const range = ['--from', `${IN_A_WEEK} 12:00`, '--to', '+25d']
  const run = await runPartner(['bookings', 'schedule', ...range, '--people', '2', '--json'], { env })
  slots = (JSON.parse(run.stdout) as Day[]).flatMap(({ services }) => {
    const free = (services.find(({ id }) => id === 'svc-dinner')?.times ?? []).flatMap(({ time, sections }) =>
      sections
        .filter(({ sectionState }) => sectionState)
        .map(({ id }) => ({ service: 'svc-dinner', section: id, utc: time })),
    )
    return free.slice(0, 1)
  })
})

function nextSlot(): Slot {
  const slot = slots.shift()
  if (!slot) throw new Error('no free slot is left')
  return slot
}

function placeOf({ service, section, utc }: Slot): string[] {
  return ['--people', '2', '--service', service, '--section', section, '--time-utc', utc]
}

function reserve(...args: string[]): Promise<Run> {
  return runPartner(['reservations', 'create', ...args], { env: { ...freshHome(), ...env } })
}

async function booking(run: Run) {
  expect(run.code, run.stderr).toBe(0)
  return JSON.parse((await runPartner(['bookings', 'get', JSON.parse(run.stdout).bookingId, '--json'], { env })).stdout)
}

describe('reservations create', () => {
  test('reservations create books a slot from the schedule as an Unconfirmed online booking', async () => {
    const made = await reserve(...placeOf(nextSlot()), ...GUEST, '--notes', 'window seat 🪟', '--json')
    expect(JSON.parse(made.stdout)).toMatchObject({ isSuccess: true, bookingStatus: 'Unconfirmed', numOfPeople: 2 })
    expect(await booking(made)).toMatchObject({
      ...{ method: 'online', people: 2, notes: 'window seat 🪟', status: { code: 'Unconfirmed' } },
      customer: { firstName: '小芳', lastName: "O'Néill" },
    })
  })

  test('reservations create accepts a local time at the venue', async () => {
    const { service, section, utc } = nextSlot()
    const timeZone = 'Australia/Sydney'
    const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    const time = local.format(new Date(utc))
    const place = words(`--people 2 --service ${service} --section ${section} --time`)
    const made = await reserve(...place, time, ...GUEST, '--json')
    expect((await booking(made)).bookingTime).toBe(`${time.replace(' ', 'T')}:00`)
  })

  test('reservations create sends --time-utc and warns that it ignores --time if both are given', async () => {
    const made = await reserve(...placeOf(nextSlot()), '--time', '2020-01-01 00:00', ...GUEST, '--json')
    expect(made).toMatchObject({ code: 0, stderr: 'warning: --time-utc is sent; --time is ignored\n' })
  })

  test('reservations create accepts a status, duration, external ID, staff ID and links', async () => {
    const made = await reserve(
      ...placeOf(nextSlot()),
      ...GUEST,
      ...words('--status CONFIRMED --duration 45 --external-id POS-77 --staff-id S1'),
      ...words('--link Menu=https://example.com/menu?a=1 --link Map=https://example.com/map --json'),
    )
    expect(JSON.parse(made.stdout)).toMatchObject({ bookingStatus: 'CONFIRMED', duration: 45 })
  })

  test('reservations create lets other flags override --set, and lets --set override --data', async () => {
    const { service, section, utc } = nextSlot()
    const body = {
      ...{ numOfPeople: 8, serviceId: 'nothing', sectionId: section, bookingTimeAsUtc: utc },
      ...{ customer: { firstName: 'A', lastName: 'B', phone: '1' }, notes: 'from the file' },
    }
    const file = join(freshDirectory(), 'reservation.json')
    writeFileSync(file, JSON.stringify(body))
    const flags = words(`--people 2 --set serviceId=${service} --set numOfPeople=9 --set notes=set --dry-run --json`)
    const expected = { ...body, numOfPeople: 2, serviceId: service, notes: 'set' }
    for (const [data, input] of [
      [`@${file}`, ''],
      ['-', JSON.stringify(body)],
      [JSON.stringify(body), ''],
    ] as const) {
      const run = await runPartner(['reservations', 'create', '--data', data, ...flags], { env, input })
      const planned = { method: 'POST', url: `${sandbox.baseUrl}/Reservations`, body: expected }
      expect(JSON.parse(run.stdout)).toMatchObject(planned)
    }
    expect((await reserve('--data', `@${file}`, ...flags.slice(0, -2))).code).toBe(0)
  })

  test('reservations create shows what was booked', async () => {
    const made = await reserve(...placeOf(nextSlot()), ...GUEST)
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Booked/) })
    expect(made.stdout).toMatch(/Booking ID +\S+/)
  })
})

describe('reservations that the service rejects', () => {
  test('reservations create exits with code 5 and the documented message if the requested service is not offered at that time', async () => {
    const run = await reserve(...placeOf({ ...nextSlot(), service: 'svc-lunch' }), ...GUEST)
    expectRefusal(run, { code: 5, says: "Invalid Service 'svc-lunch'", next: /bookings schedule/ })
  })

  test('reservations create exits with code 5 and the documented message if no service is offered at that time', async () => {
    const run = await reserve(...placeOf({ ...nextSlot(), utc: `${IN_A_WEEK}T16:00:00Z` }), ...GUEST, '--json')
    const message = `No service available for booking time '${IN_A_WEEK}T16:00:00Z' and Pax '2'`
    expect(reportedError(run)).toMatchObject({ code: 'REJECTED', message, outcome: 'not-applied' })
  })

  test('reservations create exits with code 5 if the party is too large for every table', async () => {
    const run = await reserve(...placeOf(nextSlot()).with(1, '40'), ...GUEST)
    expectRefusal(run, { code: 5, says: "and Pax '40'", next: /bookings schedule/ })
  })

  test('reservations create exits with code 5 if the status is unknown', async () => {
    const run = await reserve(...placeOf(nextSlot()), ...GUEST, '--set', 'status=MAYBE')
    expectRefusal(run, { code: 5, says: 'Invalid booking status MAYBE', next: /bookings statuses/ })
  })
})

test('reservations create reports missing flags instead of prompting when it has no terminal', async () =>
  expectRefusal(await reserve('--people', '2'), { code: 2, says: '--service is required' }))
