import { spawnSync } from 'node:child_process'
import { type Browser, chromium, type Page } from 'playwright-core'
import { LIMIT_MS } from './limit.ts'
import { isRequired, type Need } from './needs.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

const FOUND = NAMES.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0)

export const CHROMIUM: Need = {
  isMet: isRequired('chromium') || FOUND !== undefined,
  lack: 'chromium is not installed',
}

/** Starts Chromium without a window. */
export function openBrowser(): Promise<Browser> {
  const { stdout } = spawnSync('which', [FOUND ?? 'chromium'], { encoding: 'utf8', timeout: LIMIT_MS })
  // Chromium hangs under libfaketime, so it runs on the real clock even if scripts/clock/test-at.sh shifts the tests'
  // clock.
  const { LD_PRELOAD: _none, ...env } = process.env
  // Chromium's own sandbox does not work as root.
  return chromium.launch({ executablePath: stdout.trim(), args: ['--no-sandbox', '--disable-gpu'], env })
}

/** The URLs that a page has requested, and the console messages, errors and dialogs that it has produced. */
export interface Observed {
  readonly addresses: Set<string>
  readonly troubles: string[]
}

/** Starts recording a page's requests, console messages, errors and dialogs. */
export function observe(page: Page): Observed {
  const observed: Observed = { addresses: new Set(), troubles: [] }
  page.on('request', (request) => observed.addresses.add(request.url()))
  page.on('console', (message) => observed.troubles.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => observed.troubles.push(String(error)))
  page.on('dialog', (dialog) => {
    observed.troubles.push(dialog.message())
    void dialog.dismiss()
  })
  return observed
}

/** Returns the texts on a page that have a contrast ratio below 4.5:1. */
export const findFaintTexts = (page: Page): Promise<string[]> => page.evaluate(FIND_FAINT_TEXTS) as Promise<string[]>

const FIND_FAINT_TEXTS = `(() => {
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
