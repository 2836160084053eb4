import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type Observed, observe, openBrowser } from '../../support/chromium.ts'
import { LIMIT_MS } from '../../support/limit.ts'

/** One browser for the tests of a file. To be called at its top. */
export function browserOfThisFile(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  return () => browser as Browser
}

/** Opens an address in a fresh window, and afterwards holds that nothing came from elsewhere and the browser had nothing to complain of. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(LIMIT_MS)
  const observed = observe(page)
  await page.goto(url)
  if (options.javaScriptEnabled !== false) await page.locator('html.ready').waitFor()
  return { page, observed }
}

/** Holds that a page asked for nothing elsewhere, and that the browser had nothing to complain of: not of a policy, not of a script. */
export function expectQuiet({ addresses, troubles }: Observed, url: string): void {
  const { origin } = new URL(url)
  expect([...addresses].filter((address) => !address.startsWith(`${origin}/_sandbox/page`))).toEqual([])
  expect(troubles).toEqual([])
}

/** Where the screenshots of a run go, to be looked at: PARTNER_SCREENSHOTS, else a directory of its own in the temporary one. */
export const SCREENSHOTS = process.env['PARTNER_SCREENSHOTS'] ?? mkdtempSync(join(tmpdir(), 'partner-screenshots-'))
