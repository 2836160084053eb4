import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freshHome } from './support/home.ts'
import { Measuring } from './support/measured.ts'
import { bin, startBookingServer } from './support/service.ts'
const count = Number(process.argv[2] ?? 200_000)
const other = process.argv[3] ?? bin
const { home, env } = freshHome()
const server = await startBookingServer(count, home, env)
const measuring = new Measuring(home, { ...env, PARTNER_BASE_URL: server.baseUrl, PARTNER_API_KEY: 'b', PARTNER_TIMEZONE: 'Australia/Melbourne' })
for (const end of ['ndjson', 'db']) {
  const to = join(home, `copy.${end}`)
  const s = await measuring.node([bin, 'bookings', 'sync', '--source', 'bench', '--to', to])
  console.log('sync', end, s.seconds.toFixed(2), s.peakMiB)
  for (const b of [other, bin]) { const t = await measuring.node([b, 'bookings', 'sync', 'verify', '--source', 'bench', '--to', to]); console.log('verify', b, t.seconds.toFixed(2), t.peakMiB, t.stderr.trim()) }
}
server.close(); rmSync(home, { recursive: true, force: true })
