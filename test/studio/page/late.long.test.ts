import { expect, test } from 'vitest'
import { CHROMIUM } from '../../support/chromium.ts'
import { needs } from '../../support/needs.ts'
import { browserOfThisFile, openPage, SCREENSHOTS } from './in-browser.ts'
import { fridayEvening } from './page-of.ts'

needs(CHROMIUM)
const browser = browserOfThisFile()

test('the page shows a change that happens after it has loaded but before it listens for changes', async () => {
  const { url, send } = await fridayEvening()
  const page = await browser().newPage()
  try {
    // Delay the script that listens for changes until the change has been made.
    await page.route('**/live.js*', async (route) => {
      await send('GET', '/Bookings/BK-1001')
      await route.continue()
    })
    await page.goto(url)
    await page.locator('#journal .entries > li').first().waitFor()
    expect(await page.locator('#journal').textContent()).toContain('/Bookings/BK-1001')
  } finally {
    await page.close()
  }
})

test('on a screen that is 360 pixels wide, the page does not wrap buttons or IDs, and its journal shows query strings', async () => {
  const { url, send, control } = await fridayEvening()
  const effect = { kind: 'latency', ms: 2000 } as const
  await control.addFault({ endpoint: 'PATCH /Bookings/{bookingId}/updatestatus', effect })
  await send('GET', '/Customers?Limit=100&StartIndex=0')
  await send('GET', '/GiftCards/GIFT2-00005025-AAAA')
  const { page } = await openPage(browser(), url, { viewport: { width: 360, height: 780 } })
  await page.screenshot({ path: `${SCREENSHOTS}/narrow.png`, fullPage: true })
  const broken =
    await page.evaluate(`[...document.querySelectorAll('button, .button, td:first-child, .entries .code, code')]
    .filter((one) => /^[\\w-]{2,20}$/.test(one.textContent) && one.getClientRects().length > 0)
    .filter((one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
    })
    .map((one) => one.textContent)`)
  expect(broken).toEqual([])
  expect(await page.locator('#journal .what').allTextContents()).toContainEqual(
    expect.stringContaining('?Limit=100&StartIndex=0'),
  )
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
})
