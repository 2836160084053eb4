import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGES = join(import.meta.dirname, 'help')

const WORD = /^[a-z][a-z-]*$/

/** Returns the help or version page that a command line requests, or `null` if it requests no page. */
export function pageFor(argv: readonly string[]): string | null {
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  const [first] = own
  if (first === undefined) return read('partner')
  if (first === 'version' || first === '--version' || first === '-V') return version()
  const asksForVersion = own.includes('--version') || own.includes('-V')
  const asks = first === 'help' || own.includes('--help') || own.includes('-h')
  const hasOnlyWords = own.every((word) => WORD.test(word))
  if (!hasOnlyWords && !asks && !asksForVersion && !own.includes('help')) return null
  const words = commandWords(own)
  if (asksForVersion && words.length === 0) return version()
  if (asks || words[0] === 'help') return helpOn(words)
  return hasOnlyWords || words[words.length - 1] === 'help' ? topicPage(words) : null
}

/** Returns the words before the first argument or command flag. Skips global flags between them. */
function commandWords(own: readonly string[]): string[] {
  const words: string[] = []
  for (let at = 0; at < own.length; at++) {
    const word = own[at] ?? ''
    if (word === '-h' || word === '--help' || word === '-V' || word === '--version') continue
    if (WORD.test(word)) words.push(word)
    else if (!word.startsWith('-')) break
    else {
      const [withValue = [], without = []] = globalFlags()
      if (withValue.includes(word)) at++
      else if (words.length > 0 && !word.includes('=') && !without.includes(word)) break
    }
  }
  return words
}

/** Returns the names of the global flags: first those that take a value, then those that do not. */
function globalFlags(): string[][] {
  return read('global-flags')
    .split('\n')
    .map((line) => line.split(' '))
}

/** The `partner help` pages that do not belong to a command, topic or guide. */
const OVERVIEWS = ['flags', 'guides', 'topics']

function helpOn(asking: readonly string[]): string | null {
  const isHelp = asking[0] === 'help'
  const words = isHelp ? asking.slice(1) : asking
  const [name = 'help'] = words
  if (name === 'help') return read('partner')
  if (words.length === 1 && OVERVIEWS.includes(name)) return read(name)
  if (isHelp && name === 'guide') return words.length > 2 ? null : guidePage(words[1] ?? 'guides')
  const own = commandPage(words) ?? topicPage(words)
  const guide = isHelp && words.length === 1 ? guidePage(name) : null
  return own !== null && guide !== null ? `${own}\n${guide}` : (own ?? guide)
}

/** Returns the help page for the longest command name that the words begin with, or `null` if there is none. */
function commandPage(words: readonly string[]): string | null {
  // A command name has one to three words: `config`, `bookings list`, `sandbox faults add`.
  for (const count of [3, 2, 1]) {
    const found = page('commands', words.slice(0, count))
    if (found !== null) return found
  }
  return null
}

/** Returns a topic's help page, or `null` if no such topic exists. The word `help` may follow the topic. */
function topicPage(words: readonly string[]): string | null {
  const named = words[words.length - 1] === 'help' ? words.slice(0, -1) : words
  return page('commands', words) === null ? page('topics', named) : null
}

function guidePage(name: string): string | null {
  return name === 'guides' ? read('guides') : page('guides', [name])
}

function page(kind: string, words: readonly string[]): string | null {
  const name = `${kind}/${words.join('.')}`
  return existsSync(fileOf(name)) ? read(name) : null
}

function version(): string {
  return `partner/${read('version')} ${process.platform}-${process.arch} node-${process.version}\n`
}

function read(name: string): string {
  return readFileSync(fileOf(name), 'utf8')
}

function fileOf(name: string): string {
  return join(PAGES, `${name}.txt`)
}
