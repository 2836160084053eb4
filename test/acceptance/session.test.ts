import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LINES } from '../../scripts/session/lines.ts'
import { screenLines } from '../../scripts/session/screen.ts'
import { freshHome, ROOT, runPartner } from '../support/partner.ts'
import { readPlainLine } from '../support/words.ts'

const read = (name: string) => readFileSync(join(ROOT, 'docs', 'session', name), 'utf8')
const [header = '', ...events] = read('partner.cast').trim().split('\n')
const shown = screenLines(events.map((event) => (JSON.parse(event) as [number, string, string])[2]).join(''))
  .map((line) => line.map(({ text }) => text).join(''))
  .join('\n')

test('the recorded session is a valid asciicast and contains every command of the script', () => {
  expect(JSON.parse(header)).toMatchObject({ version: 2, width: 100 })
  const times = events.map((event) => (JSON.parse(event) as [number])[0])
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  for (const line of LINES) expect(shown).toContain(`$ ${line}\n`)
})

test('the SVG picture shows the final screen of the asciicast', () => {
  const drawn = read('partner.svg')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
  expect(drawn.trim().split('\n')).toEqual(shown.trim().split('\n'))
})

test('the commands in the recorded session succeed in order on a new sandbox', async () => {
  const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
  for (const line of LINES) {
    const run = await runPartner(readPlainLine(line.replace(/\\\n\s*/g, ''))?.args ?? [], { env })
    expect(run.code, `${line}\n${run.stderr}`).toBe(0)
  }
})
