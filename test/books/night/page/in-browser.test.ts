import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { CHROMIUM, openBrowser } from '../../../support/chromium.ts'
import { needs } from '../../../support/needs.ts'
import { freshDirectory } from '../../../support/partner.ts'
import { HARBOUR, HOSTILE, RTL } from '../group.ts'
import { pageOfGroup } from './pages.ts'

needs(CHROMIUM)

/** Texts whose contrast with what is behind them is less than 4.5 to 1. */
const FAINT = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number)
  const light = (color) => {
    const [r, g, b] = parts(color).slice(0, 3).map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if ((parts(backgroundColor)[3] ?? 1) > 0) return backgroundColor
    }
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const faint = []
  while (walker.nextNode()) {
    const { parentElement: element, data } = walker.currentNode
    if (data.trim() === '' || element.matches('title, desc')) continue
    const style = getComputedStyle(element)
    const pair = [light(element.closest('svg') ? style.fill : style.color), light(behind(element))].sort((a, b) => b - a)
    if ((pair[0] + 0.05) / (pair[1] + 0.05) < 4.5) faint.push(data)
  }
  return faint
})()`

test('the page fits a phone, asks for nothing, runs nothing, can be read by day and by night, and prints a sheet a venue', async () => {
  const path = join(freshDirectory(), 'night.html')
  const { text, venues } = await pageOfGroup()
  writeFileSync(path, text)
  const url = pathToFileURL(path).href
  const page = await openBrowser()
  onTestFinished(() => page.close())
  for (const [width, scheme] of [
    [360, 'light'],
    [360, 'dark'],
    [794, 'dark'],
  ] as const) {
    await page.send('Emulation.setDeviceMetricsOverride', {
      width,
      height: 800,
      deviceScaleFactor: 1,
      mobile: width < 500,
    })
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
    await page.show(url)
    expect(await page.value('document.documentElement.scrollWidth'), `at ${width}`).toBeLessThanOrEqual(width)
    expect(await page.value(FAINT), `${scheme}, at ${width}`).toEqual([])
  }
  const directions = `[...document.querySelectorAll('h2 bdi')].map((one) => [one.textContent, getComputedStyle(one).direction])`
  expect(Object.fromEntries((await page.value(directions)) as [string, string][])).toMatchObject({
    [RTL]: 'rtl',
    [HARBOUR]: 'ltr',
  })
  expect(await page.value('document.body.innerText')).toContain(HOSTILE)
  expect(await page.value(`document.querySelectorAll('script, [onload], i').length`)).toBe(0)
  const { data } = await page.send('Page.printToPDF', { preferCSSPageSize: true })
  const pdf = Buffer.from(String(data), 'base64').toString('latin1')
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(venues + 1)
  const asked = page.events.filter(({ method }) => method === 'Network.requestWillBeSent')
  const addresses = asked.map(({ params }) => (params as { readonly request: { readonly url: string } }).request.url)
  expect(new Set(addresses)).toEqual(new Set([url]))
  const troubles = [
    'Log.entryAdded',
    'Runtime.exceptionThrown',
    'Runtime.consoleAPICalled',
    'Page.javascriptDialogOpening',
  ]
  expect(page.events.filter(({ method = '' }) => troubles.includes(method))).toEqual([])
})
