import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, chromium } from 'playwright-core'
import { freshHome } from './support/home.ts'
import { median } from './support/measured.ts'

// Measures the sandbox's page with 100,000 bookings in one year: how long it takes to open and to show another day, and
// the sandbox's peak memory, with its data in memory and in a directory. Needs Linux and Chromium. The variables RUNS,
// COUNT and CHROMIUM override the defaults.

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin', 'run.js')
const runs = Number(process.env['RUNS'] ?? 20)
const count = Number(process.env['COUNT'] ?? 100_000)
const { home, env } = freshHome()

/** Returns how long `work` takes, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function peakMiB({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function measure(browser: Browser, name: string, data: string): Promise<void> {
  const child = spawn(process.execPath, [bin, 'sandbox', 'start', '--json', '--data', data], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  if (!child.stdout) throw new Error('the sandbox has no output')
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { baseUrl, pageUrl } = JSON.parse(line) as { baseUrl: string; pageUrl: string }
  const year = ['--from=-365d', '--to', 'today', '--base-url', baseUrl]
  const seeded = spawnSync(process.execPath, [bin, 'sandbox', 'seed', '--bookings', String(count), ...year], {
    env,
    encoding: 'utf8',
    timeout: 300_000,
  })
  if (seeded.status !== 0) throw new Error(seeded.stderr)
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const opened: number[] = []
  const turned: number[] = []
  for (let run = 0; run < runs; run++) {
    opened.push(
      await timed(async () => {
        await page.goto(pageUrl)
        await page.locator('html.ready').waitFor()
      }),
    )
    const shown = await page.locator('.day strong').first().textContent()
    turned.push(
      await timed(async () => {
        await page.getByRole('link', { name: 'Previous day' }).click()
        await page
          .locator('.day strong', { hasNotText: shown ?? '' })
          .first()
          .waitFor()
      }),
    )
  }
  const bookings = await page.locator('.booking').count()
  const figures = [`opened in ${median(opened).toFixed(0)} ms`, `another day shown in ${median(turned).toFixed(0)} ms`]
  figures.push(`${bookings} bookings on it`, `${peakMiB(child).toFixed(0)} MiB peak memory of the sandbox`)
  process.stdout.write(`${name.padEnd(16)} ${figures.join(', ')}\n`)
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  await ended
}

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
await measure(browser, 'in memory', ':memory:')
await measure(browser, 'in a directory', join(home, 'large'))
await browser.close()
