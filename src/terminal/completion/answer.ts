import { readFileSync } from 'node:fs'
import type { Variables } from '../../base/storage/directories.ts'
import { offer } from './offer.ts'
import type { Shell } from './shells/scripts.ts'
import type { Named, Table } from './table.ts'
import type { Offer } from './values.ts'

interface Typed {
  /** The word's value, without quotes and backslashes. */
  readonly value: string
  /** The quote that is open at the cursor, or '' if no quote is open. */
  readonly quote: '' | '"' | "'"
  /** The number of characters at the start of `value` that the shell keeps. The shell replaces the rest of the word. */
  readonly kept: number
}

type Line = { readonly before: readonly string[]; readonly current: Typed; readonly isRaw?: boolean }

// The shell scripts read either lines that begin with `=`, or a single `files N` line, where N is the number of
// characters in the word before the file name.

/**
 * Returns the output for a shell's completion script, or '' for an unknown shell. `args` contains the shell's name,
 * followed by the command line.
 */
export function answer(args: readonly string[], env: Variables, tableFile: string): string {
  const [shell = '', ...rest] = args
  const write = Object.hasOwn(WRITERS, shell) ? WRITERS[shell as Shell] : undefined
  if (write === undefined) return ''
  const table = JSON.parse(readFileSync(tableFile, 'utf8')) as Table
  const { before, current, isRaw = false } = read(shell, rest, env)
  const found = offer(withoutProgram(before), current.value, table, env)
  return 'filesBehind' in found ? files(found, current, isRaw) : write(found, current)
}

function read(shell: string, rest: readonly string[], env: Variables): Line {
  if (shell === 'bash') return readLine(rest[0] ?? '', rest[1] ?? '')
  if (shell === 'powershell') {
    const [current = '', ...before] = JSON.parse(env['PARTNER_COMPLETION_WORDS'] ?? '[]').map(String)
    return { before, current: { value: current, quote: '', kept: 0 } }
  }
  const [current = '', ...before] = rest
  // zsh passes words as typed. fish removes the quotes from all words except the current one.
  const words = shell === 'zsh' ? before.map((word) => readTyped(word).value) : before
  return { before: words, current: readTyped(current), isRaw: true }
}

function withoutProgram(words: readonly string[]): readonly string[] {
  return words.slice(words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word)) + 1)
}

function files({ filesBehind }: Exclude<Offer, readonly Named[]>, { kept, quote }: Typed, isRaw: boolean): string {
  const behind = isRaw && quote !== '' ? filesBehind : Math.max(0, filesBehind - kept)
  return `files ${behind}\n`
}

type Write = (found: readonly Named[], current: Typed) => string

const WRITERS: Readonly<Record<Shell, Write>> = {
  bash: (found, { quote, kept }) =>
    lines(found.flatMap(([name]) => (canQuote(name, quote) ? [quoted(name.slice(kept), quote)] : []))),
  // zsh and fish quote the completions that they insert.
  zsh: (found) => lines(found.map(([name, about]) => described(name.replace(/[\\:]/g, '\\$&'), ':', about))),
  fish: (found) => lines(found.map(([name, about]) => described(name, '\t', about))),
  powershell: (found) => lines(found.map(([name, about]) => described(name, '\t', about.replaceAll('…', '...')))),
}

function described(name: string, mark: string, about: string): string {
  return about === '' ? name : `${name}${mark}${about}`
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `=${text}\n`).join('')
}

function canQuote(word: string, quote: Typed['quote']): boolean {
  return quote === '' || (quote === '"' ? !word.includes('!') : !word.includes("'"))
}

function quoted(text: string, quote: Typed['quote']): string {
  if (quote === "'") return text
  return quote === '"' ? text.replace(/["\\$`]/g, '\\$&') : text.replace(/[^\w@%+=:,./\u0080-\u{10ffff}-]/gu, '\\$&')
}

/**
 * Splits a line into words as bash does, without expanding anything. Each character in `breaks` (COMP_WORDBREAKS) also
 * starts a new word.
 */
function readLine(line: string, breaks: string): Line {
  const before: string[] = []
  let at = 0
  for (;;) {
    while (/\s/.test(line[at] ?? '')) at++
    const { word, end } = readWord(line, at, breaks)
    if (end >= line.length) return { before, current: word }
    before.push(word.value)
    at = end
  }
}

function readTyped(raw: string): Typed {
  return readWord(raw, 0, '', true).word
}

function readWord(line: string, from: number, breaks: string, isWhole = false): { word: Typed; end: number } {
  let value = ''
  let quote: Typed['quote'] = ''
  let opened = 0
  let kept = 0
  let at = from
  for (; at < line.length; at++) {
    const letter = line[at] as string
    if (letter === '\\' && quote !== "'") {
      const next = line[at + 1]
      // In double quotes, a backslash escapes only quotes, backslashes, dollar signs and backticks.
      if (next !== undefined && (quote === '' || '"\\$`'.includes(next))) {
        value += next
        at++
      } else if (next !== undefined) value += letter
    } else if (quote !== '') {
      if (letter === quote) quote = ''
      else value += letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      opened = value.length
    } else if (/\s/.test(letter) && !isWhole) break
    else {
      value += letter
      // Unlike other break characters, @ belongs to the word that it starts.
      if (breaks.includes(letter)) kept = value.length - (letter === '@' ? 1 : 0)
    }
  }
  return { word: { value, quote, kept: quote === '' ? kept : opened }, end: at }
}
