import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { CHROMIUM } from '../../support/chromium.ts'
import { needs } from '../../support/needs.ts'
import { freshDirectory, runPartner } from '../../support/partner.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { words } from '../../support/words.ts'
import { browserOfThisFile, openPage } from './in-browser.ts'

needs(CHROMIUM)
needs({ isMet: process.platform === 'linux', lack: 'the peak memory of a process can be read only on Linux' })
const browser = browserOfThisFile()

const BOOKINGS = 100_000
const MAX_KIB = 150 * 1024

/** Returns the highest peak memory use among a process and its child processes, in KiB. */
function peakOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const own = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return Math.max(own, ...children.map((child) => peakOf(Number(child))))
}

test.each(['in memory', 'in a directory'])(
  'the page shows days from 100,000 bookings %s, and the sandbox uses less than 150 MiB',
  async (where) => {
    const data = where === 'in memory' ? ':memory:' : freshDirectory()
    const { process: child, stop, ...facts } = await startSandboxProcess(['--data', data])
    onTestFinished(async () => void (await stop()))
    const url = (facts as { readonly pageUrl?: string }).pageUrl ?? ''
    const seeding = `sandbox seed --bookings ${BOOKINGS} --from=-365d --to today --base-url ${facts.baseUrl}`
    expect(await runPartner(words(seeding))).toMatchObject({ code: 0 })
    const { page } = await openPage(browser(), url, { viewport: { width: 1024, height: 900 } })
    for (let load = 0; load < 20; load++) await page.reload()
    expect(await page.locator('.booking').count()).toBeGreaterThan(250)
    await page.locator('.booking').last().scrollIntoViewIfNeeded()
    await page.locator('#clock').scrollIntoViewIfNeeded()
    for (let days = 0; days < 5; days++) {
      await page.getByRole('link', { name: 'Previous day' }).click()
      await page.locator('main:not([aria-busy])').waitFor()
    }
    expect(peakOf(child.pid ?? 0)).toBeLessThan(MAX_KIB)
  },
)
