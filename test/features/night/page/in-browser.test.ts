import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { CHROMIUM, findFaintTexts, observe, openBrowser } from '../../../support/chromium.ts'
import { needs } from '../../../support/needs.ts'
import { freshDirectory } from '../../../support/partner.ts'
import { HARBOUR, HOSTILE, RTL } from '../group.ts'
import { pageOfGroup } from './pages.ts'

needs(CHROMIUM)

test('the night page is readable on a phone, runs no scripts, and prints one sheet per venue', async () => {
  const path = join(freshDirectory(), 'night.html')
  const { text, venues } = await pageOfGroup()
  writeFileSync(path, text)
  const url = pathToFileURL(path).href
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const { addresses, troubles } = observe(page)
  for (const [width, colorScheme] of [
    [360, 'light'],
    [360, 'dark'],
    [794, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await page.goto(url)
    expect(await page.evaluate('document.documentElement.scrollWidth'), `at ${width}`).toBeLessThanOrEqual(width)
    expect(await findFaintTexts(page), `${colorScheme}, at ${width}`).toEqual([])
  }
  const directions = `[...document.querySelectorAll('h2 bdi')].map((one) => [one.textContent, getComputedStyle(one).direction])`
  expect(Object.fromEntries((await page.evaluate(directions)) as [string, string][])).toMatchObject({
    [RTL]: 'rtl',
    [HARBOUR]: 'ltr',
  })
  expect(await page.innerText('body')).toContain(HOSTILE)
  expect(await page.locator('script, [onload], i').count()).toBe(0)
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(venues + 1)
  expect(addresses).toEqual(new Set([url]))
  expect(troubles).toEqual([])
})
