import { join } from 'node:path'
import { expect, test } from 'vitest'
import { peakMibOf } from '../../hostile/measured.ts'
import { runPartner } from '../../support/partner.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { freshDirectory } from '../fresh-sandbox.ts'

const MAX_MB = 150

test.each(['in memory', 'in a directory'])(
  'a sandbox with 100,000 bookings %s uses less than 150 MB',
  async (where) => {
    const data = where === 'in memory' ? ':memory:' : join(freshDirectory(), 'data')
    const sandbox = await startSandboxProcess(['--data', data])
    try {
      const days = ['--from', '2026-01-01', '--to', '2026-12-31']
      const seeded = await runPartner(['sandbox', 'seed', '--bookings', '100000', ...days], { env: sandbox.env })
      expect(seeded).toMatchObject({ code: 0 })
      const read = async (path: string) => {
        const reply = await fetch(sandbox.baseUrl + path, { headers: { 'x-api-key': sandbox.apiKey } })
        expect(reply.status).toBe(200)
        let bytes = 0
        for await (const chunk of reply.body ?? []) bytes += chunk.byteLength
        return bytes
      }
      const year = 'StartDate=2025-12-31T00:00:00.000Z&EndDate=2027-01-02T00:00:00.000Z'
      expect(await read(`/Bookings?${year}`)).toBeGreaterThan(50_000_000)
      expect(await read(`/Bookings?${year}&IncludeCustomerDetails=true`)).toBeGreaterThan(100_000_000)
      for (const start of [0, 10_000, 20_000]) await read(`/Sales?${year}&Limit=250&StartIndex=${start}`)
      await read('/Customers?Limit=250')
      expect((peakMibOf(sandbox.process.pid ?? 0) * 1024 * 1024) / 1e6).toBeLessThan(MAX_MB)
    } finally {
      await sandbox.stop()
    }
  },
)
