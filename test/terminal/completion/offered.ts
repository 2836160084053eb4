import { join } from 'node:path'
import { answer } from '../../../src/terminal/completion/answer.ts'
import { DIST } from '../../support/distribution.ts'
import type { Environment } from '../../support/partner.ts'

const TABLE = join(DIST, 'completion', 'table.json')

/** The characters at which bash begins a new word, as it has them when nobody sets them. */
export const BREAKS = ' \t\n"\'@><=;|&(:'

/** The lines that the script of bash gets for a line up to the cursor. */
export function bashLines(line: string, env: Environment = {}): readonly string[] {
  return linesOf(answer(['bash', line, BREAKS], env, TABLE))
}

/** What a line is completed with, as fish gets it: the words, without what they mean. */
export function offered(line: string, env: Environment = {}): readonly string[] {
  return described(line, env).map(([name]) => name)
}

/** The same with what each means. */
export function described(line: string, env: Environment = {}): readonly (readonly [name: string, about: string])[] {
  const words = line.split(' ')
  return linesOf(answer(['fish', words.at(-1) ?? '', ...words.slice(0, -1)], env, TABLE)).map((text) => {
    const [name = '', about = ''] = text.replace(/^=/, '').split('\t')
    return [name, about]
  })
}

/** What PowerShell gets for its words, the one that is typed first. */
export function powershellLines(words: readonly string[], env: Environment = {}): readonly string[] {
  return linesOf(answer(['powershell'], { ...env, PARTNER_COMPLETION_WORDS: JSON.stringify(words) }, TABLE))
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
