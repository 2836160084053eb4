import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type Observed, observe, openBrowser } from '../../support/chromium.ts'
import { LIMIT_MS } from '../../support/limit.ts'

/** Starts one browser for all tests in a file. Call this function at the top of the file. */
export function browserOfThisFile(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  return () => browser as Browser
}

/** Opens a URL in a new window. Records the page's requests and errors, so that {@link expectQuiet} can check them. */
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

/** Expects that a page has sent no requests to other origins and has caused no policy violations or script errors. */
export function expectQuiet({ addresses, troubles }: Observed, url: string): void {
  const { origin } = new URL(url)
  expect([...addresses].filter((address) => !address.startsWith(`${origin}/_sandbox/page`))).toEqual([])
  expect(troubles).toEqual([])
}

/** The directory for screenshots. `PARTNER_SCREENSHOTS` sets it. The default is a new temporary directory. */
export const SCREENSHOTS = process.env['PARTNER_SCREENSHOTS'] ?? mkdtempSync(join(tmpdir(), 'partner-screenshots-'))
