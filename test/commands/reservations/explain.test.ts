import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'
import { offered } from '../../terminal/completion/offered.ts'

const { run, runAt, env } = await venueOfThisFile()

/** A Monday without bookings. */
const DAY = '2999-12-23'
const GUEST = ['--first-name', 'Ada', '--last-name', 'Ng', '--phone', '+61400000000']
const EVENING = ['--time', `${DAY} 19:00`]
const DINNER = words('--people 2 --service dinner --section terrace')

/** Runs `reservations explain` with the given flags and returns its output and exit code. */
async function explained(...args: readonly string[]) {
  const done = await run('reservations', 'explain', ...GUEST, ...args, '--json')
  if (done.stdout === '') throw new Error(done.stderr)
  const codes = (list: readonly { readonly code: string }[]) => list.map(({ code }) => code)
  const { reasons, doubts, ...record } = JSON.parse(done.stdout)
  return { code: done.code, reasons, codes: codes(reasons), doubts: codes(doubts), ...record }
}

describe('reservations explain with an acceptable reservation', () => {
  test('reservations explain exits with code 0 for a reservation that the service then accepts', async () => {
    const found = await explained(...DINNER, ...EVENING)
    expect(found).toMatchObject({ code: 0, accepted: true, reasons: [], nearest: [] })
    expect(found.request).toMatchObject({
      ...{ people: 2, service: 'Dinner (svc-dinner)', section: 'Terrace (sec-terrace)', minutes: 120 },
      time: expect.stringMatching(`^[A-Z][a-z]{2} ${DAY} 19:00$`),
    })
    expect(await run('reservations', 'create', ...GUEST, ...DINNER, ...EVENING)).toMatchObject({ code: 0 })
  })

  test('reservations explain reports a required payment even if the reservation is acceptable', async () => {
    const eight = words('--people 8 --service svc-dinner --section sec-main')
    const { doubts, accepted } = await explained(...eight, '--time', `${DAY} 21:30`)
    expect({ doubts, accepted }).toEqual({ doubts: ['payment'], accepted: true })
  })
})

describe('reservations explain with a reservation that the service would reject', () => {
  const [TEN, SEVEN, LAST] = [`${DAY} 10:00`, `${DAY} 19:00`, `${DAY} 21:30`]
  const at = (people: number, service: string, section: string, ...more: readonly string[]) =>
    words(`--people ${people} --service svc-${service} --section sec-${section}`).concat(more)
  const ON_OTHER_DAYS =
    /^Chef's Table \(svc-cellar\) is not offered on Mon 2999-12-23; it is offered on Thu 2999-12-26, Fri/
  const DID_YOU_MEAN_DINNER = 'there is no service "svc-diner"; did you mean Dinner (svc-dinner)?'
  const FORTY = /^a party of 40 is too large for the free tables in Dinner .*, seats \d+$/
  const EIGHT = /^a party of 8 is too large for the free tables in Bar \(sec-bar\) .*, seats 4$/
  const NO_STATUS = 'the venue has no status "confirmd"; did you mean CONFIRMED?'
  const ELSEWHERE = 'table T5 (tbl-t5) is in section Main Dining (sec-main), not in "sec-terrace"'
  test.each([
    [
      'time-off-grid',
      DINNER,
      `${DAY} 19:05`,
      'Dinner (svc-dinner) has no booking time at 19:05; the nearest are 19:00 and 19:15',
    ],
    ['time-outside-service', DINNER, TEN, 'Dinner (svc-dinner) takes bookings from 17:30 to 21:30, not at 10:00'],
    ['time-past', DINNER, '2020-01-06 19:00', 'Mon 2020-01-06 19:00 is in the past'],
    ['venue-closed', DINNER, '2999-12-25 19:00', 'the venue is closed on Wed 2999-12-25: Closed on Christmas Day'],
    ['service-not-that-day', at(8, 'cellar', 'cellar'), SEVEN, ON_OTHER_DAYS],
    ['service-unknown', at(2, 'diner', 'main'), SEVEN, DID_YOU_MEAN_DINNER],
    ['section-unknown', at(2, 'dinner', 'cellar'), SEVEN, /^there is no section "sec-cellar" in Dinner/],
    ['party-too-large', at(40, 'dinner', 'main'), SEVEN, FORTY],
    ['party-too-large', at(8, 'dinner', 'bar'), LAST, EIGHT],
    ['status-unknown', [...DINNER, '--status', 'confirmd'], SEVEN, NO_STATUS],
    ['table-unknown', [...DINNER, '--table', 'P33'], SEVEN, 'the venue has no table "P33"; did you mean P3 (tbl-p3)?'],
    ['table-elsewhere', [...DINNER, '--table', 'T5'], SEVEN, ELSEWHERE],
    ['table-walk-ins-only', at(2, 'dinner', 'bar', '--table', 'B1'), SEVEN, 'table B1 (tbl-b1) takes walk-ins only'],
    ['tables-unfit', at(5, 'dinner', 'terrace', '--table', 'P3'), SEVEN, 'P3 seats 4, and the party is 5'],
  ])('reservations explain reports %s', async (code, flags, time, message) => {
    const found = await explained(...flags, '--time', time)
    expect(found).toMatchObject({ code: 5, accepted: false })
    const says = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(found.reasons).toContainEqual(expect.objectContaining({ code, message: says }))
  })

  test("reservations explain reports all reasons for a rejection together, each with the service's message", async () => {
    const body = { serviceId: 'Dinner', sectionId: 'Terrace', tables: ['P6', 'P6'], status: 'x' }
    const found = await explained('--data', JSON.stringify(body), '--people', '9', ...EVENING)
    expect(found.codes).toEqual([
      ...['status-unknown', 'service-name', 'party-too-large', 'table-name', 'table-twice', 'table-elsewhere'],
      ...['tables-unfit', 'section-name'],
    ])
    expect(found.reasons[0].answer).toBe('Invalid booking status x')
    expect(found.reasons.map(({ message }: { message: string }) => message)).toEqual(
      expect.arrayContaining([
        'serviceId must be an ID, but "Dinner" is the name of svc-dinner',
        'tables must be IDs, but "P6" is the name of tbl-p6',
        'sectionId must be an ID, but "Terrace" is the name of sec-terrace',
      ]),
    )
  })

  test('reservations explain suggests only acceptable times, beginning with the nearest times in the same service', async () => {
    const { nearest } = await explained(...DINNER, '--time', `${DAY} 18:50`)
    expect(nearest.length).toBeLessThanOrEqual(5)
    const times = nearest.map(({ time }: { time: string }) => time)
    expect(times.slice(0, 2).toSorted()).toEqual([`${DAY} 18:45`, `${DAY} 19:00`])
    for (const { time, serviceId, sectionId } of nearest) {
      expect([serviceId, sectionId]).toEqual(['svc-dinner', 'sec-terrace'])
      expect(await explained(...DINNER, '--time', time)).toMatchObject({ code: 0 })
    }
  })

  test('reservations explain gives the reason for a rejection and suggests flags for another time, but not a complete command', async () => {
    const refused = await run('reservations', 'explain', ...GUEST, ...DINNER, '--time', `${DAY} 19:05`)
    expect(refused).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/^The service would reject this request\n/),
    })
    expect(refused.stdout).toContain('Because  Dinner (svc-dinner) has no booking time at 19:05')
    expect(refused.stderr).toContain(
      `next: the nearest possible time: --time "${DAY} 19:00" --service svc-dinner --section sec-terrace (more: partner help timeline)\n`,
    )
    expect(refused.stderr).not.toContain('create')
  })
})

test('reservations explain reports the same usage errors as reservations create and sends no request', async () => {
  const server = await startRawServer([answers(500)])
  const attempt = (...command: readonly string[]) =>
    runAt(server, ...command, ...words('--service d --section s --people 0 --link x'), '--time', 'soon', ...GUEST)
  const refused = await attempt('reservations', 'explain')
  expectRefusal(refused, { code: 2, says: 'problems:', next: 'partner reservations explain --help' })
  const problems = ({ stderr }: { readonly stderr: string }) =>
    stderr.split('\n').filter((line) => line.startsWith('  '))
  expect(problems(refused)).toEqual(problems(await attempt('reservations', 'create', '--no-input')))
  expect(server.requests).toEqual([])
})

describe('reservations explain with an incomplete reservation', () => {
  const open = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run('reservations', 'explain', ...args, '--json')
    expect(stdout, stderr).not.toBe('')
    const { accepted, notChecked, reasons, nearest } = JSON.parse(stdout)
    return { code, accepted, notChecked, codes: reasons.map((reason: { code: string }) => reason.code), nearest }
  }
  const guest = ['--first-name', '--last-name', '--phone']

  test('reservations explain requires only a party size and a time, and lists the flags that it did not check', async () => {
    const expected = { ...{ code: 0, accepted: true, codes: [], notChecked: ['--service', '--section', ...guest] } }
    expect(await open('--people', '2', ...EVENING)).toMatchObject(expected)
    const card = await run('reservations', 'explain', ...DINNER, ...EVENING)
    expect(card.stdout).toMatch(/^The service would accept this request, as far as it was checked\n/)
    expect(card.stdout).toContain('Not checked  --first-name, --last-name, --phone\n')
    const bare = await runPartner(['reservations', 'explain'], { env: { ...freshHome(), ...env } })
    expect(bare.stderr).not.toContain('--service')
    expectRefusal(bare, { code: 2, says: '--people is required' })
    expect(bare.stderr).toContain('--time or --time-utc is required')
  })

  test.each([
    ['venue-closed', words('--people 2'), '2999-12-25 19:00'],
    ['time-past', words('--people 2'), '2020-01-06 19:00'],
    ['time-off-grid', words('--people 2'), `${DAY} 19:05`],
    ['party-too-large', words('--people 40'), `${DAY} 19:00`],
    ['party-too-large', words('--people 8 --section bar'), `${DAY} 21:30`],
    ['table-elsewhere', words('--people 2 --service dinner --table T5 --table P3'), `${DAY} 19:00`],
  ])('reservations explain reports %s for an incomplete reservation', async (code, args, time) => {
    expect(await open(...args, '--time', time)).toMatchObject({ code: 5, accepted: false, codes: [code] })
  })

  test('reservations explain accepts a body with missing members, but not a body with an empty service', async () => {
    const body = { numOfPeople: 2, time: `${DAY} 19:00`, serviceId: 'svc-dinner', customer: { firstName: 'Ada' } }
    const expected = { ...{ code: 0, notChecked: ['--section', '--last-name', '--phone'] } }
    expect(await open('--data', JSON.stringify(body))).toMatchObject(expected)
    const empty = await run('reservations', 'explain', '--data', JSON.stringify({ ...body, serviceId: '' }))
    expectRefusal(empty, { code: 2, says: '--service must not be empty' })
  })
})

test("reservations explain --no-validate reports the service's messages about missing members", async () => {
  const { codes, reasons, code } = await explained('--no-validate', '--time', 'soon')
  const expected = { codes: ['people-missing', 'service-missing', 'section-missing', 'time-invalid'], code: 5 }
  expect({ codes, code }).toEqual(expected)
  expect(reasons[0].answer).toBe('numOfPeople is required')
})

test('reservations explain sends only the read requests that it needs', async () => {
  const at = `${DAY}T08:00:00Z`
  const times = [{ time: at, expired: false, bookingOptionsCount: 1, sections: [{ id: 's', sectionState: true }] }]
  const services = [{ id: 'svc', name: 'Dinner', duration: 90, sections: [{ id: 's', name: 'Main' }], times }]
  const server = await startRawServer([answers(200, [{ isVenueOpen: true, services }])])
  const line = [...words('reservations explain --people 2 --service svc --section s --time-utc'), at, ...GUEST]
  const done = await runAt(server, ...line)
  expect(done, done.stderr).toMatchObject({ code: 0 })
  const expected = ['GET /Bookings/schedule']
  expect(server.requests.map(({ method, target }) => `${method} ${target.split('?')[0]}`)).toEqual(expected)
  for (const [flag, seen] of [
    ['--dry-run', /^GET http.*\/Bookings\/schedule\?/],
    ['--curl', /^curl [\s\S]*Bookings\/schedule\?/],
    ['--param=zz=1', /[?&]zz=1/],
  ] as const)
    expect((await runAt(server, ...line, '--dry-run', flag)).stdout).toMatch(seen)
  expect(server.requests).toHaveLength(1)
})

test('reservations explain works with a service that rejects ranges of more than a day', async () => {
  const server = await startRawServer(({ target }) => {
    const query = new URL(target, 'http://service').searchParams
    const days = Date.parse(query.get('BookingDateTimeEnd') ?? '') - Date.parse(query.get('BookingDateTimeStart') ?? '')
    return days > 86_400_000
      ? answers(400, { message: 'Too long.' })
      : answers(200, [{ isVenueOpen: true, services: [] }])
  })
  const done = await runAt(server, ...['reservations', 'explain', ...DINNER, ...EVENING, ...GUEST, '--json'])
  expect(reportedError(done)).toMatchObject({ code: 'REJECTED', details: { reasons: ['service-unknown'] } })
})

test('reservations explain without a time zone accepts a UTC time, but exits with code 2 for a local time', async () => {
  const noZone = { ...freshHome(), ...env, PARTNER_TIMEZONE: undefined }
  const line = ['reservations', 'explain', ...GUEST, ...words('--people 2 --service svc-dinner --section sec-terrace')]
  const refused = await runPartner([...line, ...EVENING], { env: noZone })
  expectRefusal(refused, {
    code: 2,
    says: "the venue's time zone is unknown",
    next: 'partner profiles set --help',
  })
  const inUtc = await runPartner([...line, '--time-utc', '2020-01-06T08:00:00Z', '--json'], { env: noZone })
  expect(reportedError(inUtc)).toMatchObject({ code: 'REJECTED', details: { reasons: ['time-past'] } })
})

test('bookings explain is a hidden alias for reservations explain', async () => {
  const line = [...GUEST, ...DINNER, ...EVENING, '--json']
  const [alias, own] = [await run('bookings', 'explain', ...line), await run('reservations', 'explain', ...line)]
  expect({ code: alias.code, stdout: alias.stdout }).toEqual({ code: 0, stdout: own.stdout })
  const page = (await runPartner(words('bookings explain --help'))).stdout
  expect(page).toBe((await runPartner(words('reservations explain --help'))).stdout)
  expect(page).toContain('Its alias is bookings explain.')
  expect((await runPartner(words('bookings --help'))).stdout).not.toContain('explain')
  expect(offered('partner bookings e')).toEqual([])
  expect(offered('partner bookings explain --peo')).toContain('--people')
})
