import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A list of 100,000 bookings of about 1 KB: how long it takes in each format against a `curl` that throws it away, and the
// most memory that the process held. COUNT=… node bench/long-list.ts for another length.

const root = join(import.meta.dirname, '..')
const count = Number(process.env['COUNT'] ?? 100_000)
const home = mkdtempSync(join(tmpdir(), 'partner-bench-'))
const reporter = join(home, 'peak-memory.cjs')
writeFileSync(
  reporter,
  "process.on('exit', () => require('node:fs').writeSync(3, String(process.resourceUsage().maxRSS)))\n",
)

const record = (index: number) =>
  JSON.stringify({
    bookingId: `bk-${String(index).padStart(8, '0')}`,
    locationId: '5f1d7a3e9b2c4d0012ab34cd',
    method: 'online',
    bookedAt: '2026-10-22T13:45:00.000Z',
    bookingTime: '2026-11-20T18:30:00',
    duration: 90,
    people: (index % 8) + 1,
    serviceId: 'svc-dinner',
    serviceName: 'Dinner',
    serviceType: 'dinner',
    lastModifiedDate: '2026-11-20T08:00:00.000Z',
    notes: index % 3 === 0 ? 'Window table please, café au lait ×4' : null,
    customer: {
      id: `c-${index}`,
      firstName: 'Zoë',
      lastName: 'Nguyễn',
      phone: '+61400000000',
      subscribed: true,
      noShowCount: 0,
    },
    tables: [{ tableId: 'tbl-t5', tableName: 'T5', sectionId: 'sec-main', sectionName: 'Main Dining' }],
    tags: [{ tagType: 'Occasion', name: 'Birthday' }],
    status: { statusType: 'standard', code: 'CONFIRMED', name: 'Confirmed' },
    paymentSummary: {
      paymentType: 'card',
      amount: 25.1,
      amountDue: 0,
      amountPaid: 25.1,
      currencyCode: 'AUD',
      transactionId: 'x'.repeat(300),
    },
    items: [],
  })

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json')
  response.write(`{"count":${count},"bookings":[`)
  let index = 0
  const more = () => {
    let room = true
    while (room && index < count) {
      let chunk = ''
      for (const end = Math.min(index + 64, count); index < end; index++)
        chunk += `${index === 0 ? '' : ','}${record(index)}`
      room = response.write(chunk)
    }
    if (index < count) response.once('drain', more)
    else response.end(']}')
  }
  more()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function timed(
  command: string,
  args: readonly string[],
): Promise<{ seconds: number; peakMiB: number | null; bytes: number }> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      PARTNER_BASE_URL: baseUrl,
      PARTNER_API_KEY: 'bench',
      PARTNER_CACHE_DIR: join(home, 'cache'),
    }
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit', 'pipe'], timeout: 120_000 })
    let bytes = 0
    let peak = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      peak += chunk
    })
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${command} ${args.join(' ')} ended with ${code}`))
      resolve({
        seconds: (performance.now() - started) / 1000,
        peakMiB: peak === '' ? null : Number(peak) / 1024,
        bytes,
      })
    })
  })
}

try {
  const curl = await timed('curl', ['-s', baseUrl])
  process.stdout.write(
    `${count} bookings, ${(curl.bytes / 1e6).toFixed(0)} MB; curl takes ${curl.seconds.toFixed(2)} s (the server included)\n`,
  )
  for (const format of ['ndjson', 'json', 'csv', 'table']) {
    const args = [
      '--require',
      reporter,
      join(root, 'bin', 'run.js'),
      'bookings',
      'list',
      '--from',
      'today',
      '-o',
      format,
    ]
    const { seconds, peakMiB, bytes } = await timed(process.execPath, args)
    process.stdout.write(
      `${format.padEnd(8)} ${seconds.toFixed(2)} s  ${(seconds / curl.seconds).toFixed(1)}x curl  ${peakMiB?.toFixed(0)} MiB peak  ${(bytes / 1e6).toFixed(0)} MB out\n`,
    )
  }
} finally {
  server.close()
  server.closeAllConnections()
  rmSync(home, { recursive: true, force: true })
}
