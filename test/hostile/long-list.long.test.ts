import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshDirectory, freshHome, runShell } from '../support/partner.ts'

const CUSTOMERS = 100_000
const MEBIBYTE = 1024 * 1024

/** Returns a customer of about 600 bytes. */
const customer = (index: number) =>
  JSON.stringify({
    id: `c-${index}`,
    firstName: 'Zoë',
    lastName: 'Nguyễn',
    fullName: `Zoë Nguyễn ${index}`,
    email: `guest${index}@example.com`,
    phone: '+61 400 000 000',
    phoneNational: '0400 000 000',
    address: { line1: '1 Harbour St', city: 'Sydney', state: 'NSW', postalCode: '2000', country: 'AU' },
    notes: 'x'.repeat(200),
    tags: [{ id: 't', identifier: 'vip', name: 'VIP' }],
    subscribed: index % 2 === 0,
    noShowCount: index % 5,
    lastModifiedDate: '2026-11-20T08:00:00.000Z',
  })

/** Starts a service with 100,000 customers that returns at most `cap` of them per page. Returns its base URL. */
async function startCustomerService(cap: number): Promise<string> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const start = Number(searchParams.get('StartIndex'))
    const count = Math.max(0, Math.min(cap, Number(searchParams.get('Limit')), CUSTOMERS - start))
    const items = Array.from({ length: count }, (_none, index) => customer(start + index)).join(',')
    response.setHeader('content-type', 'application/json')
    response.end(`{"from":${start},"to":${start + count},"length":${count},"items":[${items}]}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each(['ndjson', 'csv', 'table'])(
  'customers list pages through 100,000 customers as %s in less than 150 MiB',
  async (format) => {
    const directory = freshDirectory()
    const report = join(directory, 'peak')
    const reporter = join(directory, 'reporter.cjs')
    writeFileSync(
      reporter,
      `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)))`,
    )
    const env = {
      ...freshHome(),
      PARTNER_BASE_URL: await startCustomerService(250),
      PARTNER_API_KEY: 'a-key-of-this-test',
      NODE_OPTIONS: `--require ${reporter}`,
    }
    const done = await runShell(`set -o pipefail; partner customers list --page-size 500 -o ${format} | wc -l`, { env })
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(Number(done.stdout)).toBe(CUSTOMERS + (format === 'ndjson' ? 0 : 1))
    expect(Number(readFileSync(report, 'utf8')) * 1024).toBeLessThan(150 * MEBIBYTE)
  },
)
