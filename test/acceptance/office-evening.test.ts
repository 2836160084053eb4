import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDirectory, freshHome, type Run, runPartner } from '../support/partner.ts'
import { startSandboxProcess } from '../support/sandbox-process.ts'

// The head office closes the day. It checks whether each sale arrived exactly once, with the right booking and the
// right total.

/** The test starts at 23:30 in Sydney. */
const CLOCK = '2026-11-20T12:30:00Z'
const DAY = '2026-11-20'

interface Listed {
  readonly bookingId: string | null
  readonly saleDetail: { readonly transactionId: string; readonly transactionDateTime: string; readonly total: number }
}

function sale(saleId: string, bookingId: string | null, closed: string, amount: number, tax = 0) {
  return {
    ...{ origin: { saleId }, staff: { id: 'staff-1' }, table: { seats: 2 }, closedZonedDateTime: closed },
    ...(bookingId === null ? {} : { bookingId }),
    ...{ total: { amount, currency: 'AUD' }, tax: { amount: tax, currency: 'AUD' } },
  }
}

test('an office worker can submit two missing sales and find a wrong total', { timeout: 240_000 }, async () => {
  const venue = (seed: number) => startSandboxProcess(['--data', ':memory:', '--seed', String(seed), '--clock', CLOCK])
  const [sandbox, beach] = await Promise.all([venue(7), venue(8)])
  const env = { ...freshHome(), HOME: freshDirectory() }
  const cwd = freshDirectory()
  const run = (...line: readonly string[]): Promise<Run> => runPartner(line, { env, cwd })
  const write = (name: string, sales: readonly object[]) =>
    writeFileSync(join(cwd, name), sales.map((one) => `${JSON.stringify(one)}\n`).join(''))
  try {
    for (const [name, { baseUrl, apiKey }] of Object.entries({ harbour: sandbox, beach })) {
      const add = ['profiles', 'add', name, '--base-url', baseUrl, '--timezone', 'Australia/Sydney', '--tag', 'coast']
      expect(await runPartner([...add, '--api-key-stdin'], { env, cwd, input: apiKey })).toMatchObject({ code: 0 })
    }

    // The sales that the till closed today: those that arrived earlier, and four from this evening.
    const list = await run('sales', 'list', '--from', DAY, '--to', DAY, '--json')
    const day = (JSON.parse(list.stdout) as Listed[]).map(({ bookingId, saleDetail }) =>
      sale(saleDetail.transactionId, bookingId, saleDetail.transactionDateTime, Math.round(saleDetail.total * 100)),
    )
    expect(day.length).toBeGreaterThan(2)
    const booking = day.find(({ bookingId }) => bookingId)?.bookingId ?? ''
    const evening = [
      sale('EVE-1', booking, '2026-11-20T11:40:00Z', 12_550),
      sale('EVE-2', booking, '2026-11-20T11:55:00Z', 8_000),
      sale('EVE-3', booking, '2026-11-20T12:05:00Z', 4_210),
      sale('EVE-4', booking, '2026-11-20T12:10:00Z', 9_900, 900),
    ]
    write('closings.ndjson', [...day, ...evening])
    // Only two of these four sales reached the service, and one of them lacks its tax.
    write('sent.ndjson', [
      sale('EVE-2', booking, '2026-11-20T11:55:00Z', 8_000),
      sale('EVE-4', booking, '2026-11-20T12:10:00Z', 9_000),
    ])
    expect(await run('sales', 'import', 'sent.ndjson')).toMatchObject({ code: 0 })

    // The till and the service disagree. The missing sales are written to a file, and nothing is sent.
    const found = await run('sales', 'reconcile', 'closings.ndjson', '--fix', 'missing.ndjson')
    expect(found).toMatchObject({ code: 11, stdout: expect.stringMatching(/^missing +EVE-1 +125\.50 +125\.50$/m) })
    expect(found.stdout).toMatch(/^missing +EVE-3 +42\.10 +42\.10$/m)
    expect(found.stdout).toMatch(/^total +EVE-4 +99\.00 +90\.00 +9\.00$/m)
    expect(found.stderr).toContain('the books differ by 176.60: 2 missing, 1 total')
    expect(found.stderr).toContain('partner sales import missing.ndjson')
    expect(readFileSync(join(cwd, 'missing.ndjson'), 'utf8')).toBe(
      [evening[0], evening[2]].map((one) => `${JSON.stringify(one)}\n`).join(''),
    )
    const unchanged = JSON.parse((await run('sales', 'list', '--from', DAY, '--to', DAY, '--json')).stdout)
    expect(unchanged).toHaveLength(day.length + 2)

    // Submit the missing sales. After that, the command reports only one wrong sale and explains what to do about it.
    expect(await run('sales', 'import', 'missing.ndjson')).toMatchObject({ code: 0 })
    const rest = await run('sales', 'reconcile', 'closings.ndjson', '--json')
    expect(rest).toMatchObject({ code: 11 })
    const { differences, totals } = JSON.parse(rest.stdout)
    expect(differences).toEqual([
      {
        ...{ kind: 'total', saleId: 'EVE-4', pos: '99.00', service: '90.00', difference: '9.00' },
        detail: expect.stringContaining("the service's total excludes the tax of 9.00"),
        next: expect.stringContaining('the same ID cannot be sent again'),
      },
    ])
    expect(totals).toMatchObject({ difference: '9.00', byKind: { missing: '0.00', total: '9.00' } })
    expect((await run('sales', 'import', 'closings.ndjson', '--journal', 'again', '-o', 'ndjson')).stdout).toMatch(
      /"EVE-4","outcome":"already-there","status":409/,
    )

    // With a copy of both venues, one report covers both, has the same content and needs no requests.
    for (const records of ['bookings', 'sales']) {
      const sync = await run(records, 'sync', '--to', 'group.db', '--since', '2026-11-19', '--profiles', 'tag:coast')
      expect(sync.code, sync.stderr).toBe(0)
    }
    await Promise.all([sandbox.stop(), beach.stop()])
    const offline = await run('sales', 'reconcile', 'closings.ndjson', '--copy', 'group.db', '--json')
    expect({ code: offline.code, ...JSON.parse(offline.stdout) }).toEqual({ code: 11, differences, totals })
    const night = await run('report', 'night', '--copy', 'group.db', '--date', DAY, '--json', '--html', 'night.html')
    expect(night.code, night.stderr).toBe(0)
    const { venues, group } = JSON.parse(night.stdout)
    expect(venues.map(({ source }: { readonly source: string }) => source)).toEqual(['beach', 'harbour'])
    expect(group).toBeTruthy()
    expect(readFileSync(join(cwd, 'night.html'), 'utf8')).toContain('<svg')
  } finally {
    await Promise.all([sandbox.stop(), beach.stop()])
  }
})
