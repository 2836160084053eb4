import { join } from 'node:path'
import { answer } from '../../../src/terminal/completion/answer.ts'
import { DIST } from '../../support/distribution.ts'
import type { Environment } from '../../support/partner.ts'

const TABLE = join(DIST, 'completion', 'table.json')

/** The default characters that separate words in bash completion (COMP_WORDBREAKS). */
export const BREAKS = ' \t\n"\'@><=;|&(:'

/** Returns the lines that the bash completion script receives for a command line up to the cursor. */
export function bashLines(line: string, env: Environment = {}): readonly string[] {
  return linesOf(answer(['bash', line, BREAKS], env, TABLE))
}

/** Returns the words that fish offers for a command line, without their descriptions. */
export function offered(line: string, env: Environment = {}): readonly string[] {
  return described(line, env).map(([name]) => name)
}

/** Returns the words that fish offers for a command line, with their descriptions. */
export function described(line: string, env: Environment = {}): readonly (readonly [name: string, about: string])[] {
  const words = line.split(' ')
  return linesOf(answer(['fish', words.at(-1) ?? '', ...words.slice(0, -1)], env, TABLE)).map((text) => {
    const [name = '', about = ''] = text.replace(/^=/, '').split('\t')
    return [name, about]
  })
}

/** Returns the lines that the PowerShell completion script receives. The first of `words` is the word at the cursor. */
export function powershellLines(words: readonly string[], env: Environment = {}): readonly string[] {
  return linesOf(answer(['powershell'], { ...env, PARTNER_COMPLETION_WORDS: JSON.stringify(words) }, TABLE))
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
