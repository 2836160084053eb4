import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../sandbox/fresh-sandbox.ts'
import { CHROMIUM, findFaintTexts } from '../../support/chromium.ts'
import { needs } from '../../support/needs.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { browserOfThisFile, expectQuiet, openPage, SCREENSHOTS } from './in-browser.ts'
import { fridayEvening, requestUnknownService } from './page-of.ts'

needs(CHROMIUM)
const browser = browserOfThisFile()

/** Simulates a day when an integration's reservation is rejected and a webhook fails. */
async function dayThatWentWrong() {
  const { port } = await startRawServer(({ target }) => answers(target === '/cards' ? 200 : 503))
  const { url, send, control } = await fridayEvening()
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_REDEEMED', webhookUrl: `http://127.0.0.1:${port}/cards` })
  await send('POST', '/Webhooks', { event: 'BOOKING_UPDATED', webhookUrl: `http://127.0.0.1:${port}/bookings` })
  for (let at = 0; at < 12; at++) await send('GET', `/Bookings/BK-${1001 + at}`)
  await requestUnknownService(send, 'svc-high-tea')
  for (let cents = 1; cents <= 12; cents++)
    await send('POST', '/GiftCards/redeem', { cardNumber: 'GIFT1-00000100-AAAA', amount: cents / 100 })
  await send('PATCH', '/Bookings/BK-1004/updatestatus', { status: 'ARRIVED' })
  for (let at = 0; at < 8; at++) await send('GET', '/Resources/booking-statuses')
  await until(async () => (await control.listDeliveries()).every(({ attempts }) => attempts.length > 0))
  return url
}

test.each([360, 1024, 1600].flatMap((width) => [[width, 'light'] as const, [width, 'dark'] as const]))(
  'a new user can find a rejected reservation and a failed webhook on a page %i pixels wide in %s mode',
  async (width, colorScheme) => {
    const url = await dayThatWentWrong()
    const viewport = { width, height: width === 360 ? 780 : 900 }
    const { page, observed } = await openPage(browser(), url, { viewport, colorScheme })
    const shot = (name: string, fullPage = false) =>
      page.screenshot({ path: join(SCREENSHOTS, `${width}-${colorScheme}-${name}.png`), fullPage })
    await shot('page', true)
    expect(await findFaintTexts(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)

    // The user looks up in the journal why the reservation was rejected.
    await page.getByRole('link', { name: 'Journal', exact: true }).click()
    await page.getByLabel('Only rejected or failed requests').check()
    await until(async () => (await page.locator('#journal details').count()) === 1)
    await page.locator('#journal summary', { hasText: 'POST /Reservations' }).click()
    await page.getByText("Invalid Service 'svc-high-tea'").first().waitFor()
    await page.locator('#journal').getByText('"serviceId": "svc-high-tea"').waitFor()
    await shot('journal')

    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    await page.getByLabel('Only undelivered webhooks').check()
    const missed = page.locator('#deliveries .entries > li')
    await until(async () => (await missed.count()) === 1)
    await missed.locator('summary').click()
    await missed.getByText('Not delivered yet: 1 attempt failed.').waitFor()
    expect(await missed.innerText()).toMatch(/BOOKING_UPDATED BK-1004[\s\S]*503[\s\S]*\/bookings/)
    await shot('deliveries')

    await missed.getByRole('link', { name: 'BK-1004' }).click()
    const details = page.getByRole('dialog')
    await details.getByText('BK-1004').first().waitFor()
    for (const name of ['ID', 'Notes', 'Phone', 'Status'])
      await details.getByText(name, { exact: true }).first().waitFor()
    expect(await details.innerText()).toContain('Arrived')
    expect(await findFaintTexts(page)).toEqual([])
    await shot('details')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expectQuiet(observed, url)
  },
)
