import { expect, test } from 'vitest'
import { controlOf, freshDirectory, runningSandbox, until } from '../../sandbox/fresh-sandbox.ts'
import { CHROMIUM } from '../../support/chromium.ts'
import { needs } from '../../support/needs.ts'
import { browserOfThisFile, expectQuiet, openPage } from './in-browser.ts'
import { bookHostile, FRIDAY_EVENING } from './page-of.ts'

needs(CHROMIUM)
const browser = browserOfThisFile()

/** A sandbox on a Friday evening whose clock stands still, with its page open. */
async function friday(options: Parameters<typeof runningSandbox>[0] = {}, window: Parameters<typeof openPage>[2] = {}) {
  const running = await runningSandbox({ page: true, clock: { startAt: FRIDAY_EVENING, frozen: true }, ...options })
  const url = running.sandbox.pageUrl ?? ''
  return { ...running, url, ...(await openPage(browser(), url, window)) }
}

test('what others do shows without a reload, and what a person does with the page stays', async () => {
  const data = freshDirectory()
  const { page, send, observed, url } = await friday({ data })
  const journal = page.locator('#journal .entries > li')
  expect(await journal.count()).toBe(0)
  await send('GET', '/Bookings/BK-1001')
  await journal.first().locator('summary').click()
  await page.getByLabel('Message').fill('half wri')
  await page.getByLabel('Find in requests').fill('not sent yet')
  await send('GET', '/Bookings/BK-1002')
  await until(async () => (await journal.count()) === 2)
  expect(await journal.nth(1).locator('details').getAttribute('open')).not.toBeNull()
  expect(await journal.nth(0).locator('details').getAttribute('open')).toBeNull()
  expect(await page.getByLabel('Find in requests').inputValue()).toBe('not sent yet')
  expect(await page.evaluate('document.activeElement.id')).toBe('find')
  await send('PATCH', '/Bookings/BK-1001/updatestatus', { status: 'SEATED' })
  await page.locator('li.booking.seated', { hasText: 'Charlotte Taylor' }).waitFor()
  // Another process on the same data.
  const another = controlOf(data)
  await another.addFault({ endpoint: 'POST /Sales', effect: { kind: 'latency', ms: 2000 } })
  await page.locator('#faults').getByText('2s late').waitFor()
  await another.advanceClock(3_600_000)
  await page.locator('#clock').getByText('20:40:00').waitFor()
  expect(await page.getByLabel('Message').inputValue()).toBe('half wri')
  expectQuiet(observed, url)
})

test('everything works by the keyboard alone', async () => {
  const { page, control, observed, url } = await friday()
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the journal')
  await page.locator('#to-BK-1001').focus()
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog')
  await details.getByText('BK-1001').first().waitFor()
  expect(page.url()).toContain('booking=BK-1001')
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'hidden' })
  await until(async () => (await page.evaluate('document.activeElement.id')) === 'to-BK-1001')
  await until(() => !page.url().includes('booking='))

  await page.getByLabel('Endpoint').focus()
  await page.keyboard.type('GET /GiftCards/{cardNumber}')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('abc')
  await page.keyboard.press('Enter')
  const complaint = page.getByRole('alert')
  await complaint.getByText('Status: "abc" is not a whole number from 200 to 599.').waitFor()
  expect(await page.getByLabel('Endpoint').inputValue()).toBe('GET /GiftCards/{cardNumber}')
  await page.getByLabel('Status').fill('418')
  await page.keyboard.press('Enter')
  await page.locator('#faults').getByText('status 418').waitFor()
  expect(await complaint.count()).toBe(0)
  expect(await page.getByLabel('Endpoint').inputValue()).toBe('')
  expect(await control.listFaults()).toMatchObject([{ effect: { kind: 'status', status: 418 } }])
  await page.getByRole('button', { name: 'Clear', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('No faults: the sandbox behaves as the specification says.').waitFor()
  await until(async () => (await page.evaluate('document.activeElement.id')) === 'faults-name')

  await page.getByLabel('Advance by').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('2h')
  await page.keyboard.press('Enter')
  await page.locator('#clock').getByText('21:40:00').waitFor()
  await page.getByRole('status').getByText('The clock was moved on.').waitFor()
  expectQuiet(observed, url)
})

test('fields belong to their kind of fault', async () => {
  const { page, control } = await friday()
  expect(await page.getByLabel('How much').isVisible()).toBe(false)
  await page.getByLabel('Kind').selectOption('latency')
  expect(await page.getByLabel('Status').isVisible()).toBe(false)
  await page.getByLabel('Endpoint').fill('*')
  await page.getByLabel('How much').fill('2s')
  await page.getByRole('button', { name: 'Add fault' }).click()
  await page.locator('#faults').getByText('2s late').waitFor()
  expect(await page.getByLabel('Status').isVisible()).toBe(true)
  expect(await control.listFaults()).toMatchObject([{ endpoint: '*', effect: { kind: 'latency', ms: 2000 } }])
})

test('days are gone through, and gone back to', async () => {
  const { page, observed, url } = await friday()
  await page.getByRole('link', { name: 'Next day' }).click()
  await page.getByText('Sat 19 Dec 2026', { exact: true }).waitFor()
  await page.getByLabel('Day', { exact: true }).fill('2026-12-25')
  await page.getByText('Closed on Christmas Day').waitFor()
  await page.goBack()
  await page.getByText('Sat 19 Dec 2026', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Today' }).click()
  await page.getByText('Fri 18 Dec 2026', { exact: true }).first().waitFor()
  expectQuiet(observed, url)
})

test('names that are markup stay names, and none of them reaches beyond itself', async () => {
  const { page, send, observed, url } = await friday()
  const id = await bookHostile(send, '2026-12-18 19:30')
  await page.locator(`#to-${id}`).click()
  const details = page.getByRole('dialog')
  await details.getByText('<script>alert(1)</script>').first().waitFor()
  await details.getByText('</span><script>alert(3)</script>').first().waitFor()
  expect(await page.locator('img, script:not([src])').count()).toBe(0)
  const apart = `getComputedStyle(document.querySelector('dialog h2 bdi')).unicodeBidi`
  expect(await page.evaluate(apart)).toBe('isolate')
  expectQuiet(observed, url)
})

test('without JavaScript it is read, searched and changed all the same', async () => {
  const { page, control, send, url } = await friday({}, { javaScriptEnabled: false })
  await page.locator('#to-BK-1001').click()
  await page.getByRole('dialog').getByText('Charlotte Taylor').first().waitFor()
  await page.getByRole('link', { name: 'Close' }).click()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByLabel('Endpoint').fill('*')
  await page.getByLabel('Status').fill('99')
  await page.getByRole('button', { name: 'Add fault' }).click()
  await page.getByRole('alert').getByText('Status: "99" is not a whole number').waitFor()
  await page.getByLabel('Status').fill('500')
  await page.getByRole('button', { name: 'Add fault' }).click()
  await page.getByRole('button', { name: 'Clear', exact: true }).waitFor()
  expect(page.url()).toBe(`${url}#faults`)
  expect(await control.listFaults()).toHaveLength(1)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByText('No faults').waitFor()
  await page.getByRole('button', { name: 'Advance' }).click()
  await page.locator('#clock').getByText('19:50:00').waitFor()
  await send('GET', '/Bookings/nobody')
  await page.getByLabel('Find in requests').fill('nobody')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.locator('#journal summary').getByText('/Bookings/nobody').waitFor()
})

test('a sandbox that ends says so in the page, and ends in time', async () => {
  const { page, sandbox } = await friday()
  await sandbox.close()
  await page.getByRole('status').getByText('what you see may be out of date').waitFor()
})

test('on paper there is the day as a list, and no button', async () => {
  const { page } = await friday()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button').count()).toBe(0)
  const spans = await page.locator('.booking:not(.again) .when').allInnerTexts()
  const times = spans.map((span) => span.slice(0, 'HH:mm'.length))
  expect(times.length).toBeGreaterThan(5)
  expect(times).toEqual(times.toSorted())
  expect((await page.pdf()).byteLength).toBeGreaterThan(10_000)
})
