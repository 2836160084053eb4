import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { CHROMIUM, openBrowser } from '../support/chromium.ts'
import { skipWithout } from '../support/needs.ts'
import { ROOT } from '../support/partner.ts'

/**
 * Returns the text of each line, the number of characters that are drawn, and the column and x-coordinate of each word.
 */
const MEASURE = `[...document.querySelectorAll('text')].map((element) => {
  const text = element.textContent
  const drawn = element.getNumberOfChars()
  const starts = [...text.matchAll(/\\S+/g)].map(({ index }) => index).filter((at) => at < drawn)
  return { text, drawn, words: starts.map((at) => [at, element.getStartPositionOfChar(at).x]) }
})`

type Line = { readonly text: string; readonly drawn: number; readonly words: readonly (readonly [number, number])[] }

test('the columns in the README.md picture are aligned when a browser renders it', async (context) => {
  skipWithout(context, CHROMIUM)
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(pathToFileURL(join(ROOT, 'docs', 'session', 'partner.svg')).href)
  const lines = (await page.evaluate(MEASURE)) as Line[]
  expect(lines.filter(({ text, drawn }) => drawn !== text.length).map(({ text }) => text)).toEqual([])
  // Ignore lines with other characters. The monospaced font might not contain them, and other fonts have different
  // widths.
  const words = lines.filter(({ text }) => /^[ -~]*$/.test(text)).flatMap((line) => line.words)
  const [margin, letter] = [16, 8.43]
  expect(words.length).toBeGreaterThan(50)
  for (const [column, x] of words)
    expect(Math.abs((x - margin) / letter - column), `column ${column}`).toBeLessThan(0.5)
})
