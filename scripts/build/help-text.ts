import type { Command } from '@oclif/core/command'

/** A line with two columns of text. */
export type Entry = readonly [left: string, right: string]

const WIDTH = 80
/** The maximum width of the left column. If its text is wider, the right text starts on the next line. */
const WIDEST_LEFT = 30

/** Splits a command ID into words, which oclif separates with spaces or colons. */
export function wordsOf(id: string): string[] {
  return id.split(/[ :]/)
}

/**
 * Removes duplicate topics: oclif lists a nested topic twice and gives the second copy the summary of the topic's first
 * command.
 */
export function eachTopic<T extends { readonly name: string }>(topics: readonly T[]): T[] {
  const own = new Set(topics.map(({ name }) => name))
  return topics.filter(({ name }) => !name.includes(':') || !own.has(wordsOf(name).join(' ')))
}

/** Returns a command's usage line: its words, its arguments, its required flags, and `[FLAGS]`. */
export function usageOf(command: Command.Loadable): string {
  if (command.usage) return String(command.usage)
  const args = Object.values(command.args).map(argumentName)
  const required = Object.values(command.flags)
    .filter((flag) => flag.required)
    .map((flag) => `--${flag.name} ${'helpValue' in flag ? String(flag.helpValue) : ''}`.trim())
  return [...wordsOf(command.id), ...args, ...required, '[FLAGS]'].join(' ')
}

/** Returns an argument as help pages show it: `ID`, or `[ID]` if it is optional. */
export function argumentName({ name, required }: Command.Arg.Any): string {
  return required ? name.toUpperCase() : `[${name.toUpperCase()}]`
}

/** Returns a command's examples as lines to paste into a shell. */
export function exampleLines(command: Command.Loadable): string {
  const examples = (command.examples ?? []).map((example) =>
    String(typeof example === 'string' ? example : example.command)
      .replaceAll('<%= config.bin %>', 'partner')
      .replaceAll('<%= command.id %>', wordsOf(command.id).join(' ')),
  )
  return examples.map((example) => `  $ ${example}`).join('\n\n')
}

/** Returns the flags and their summaries, sorted by name. */
export function flagEntries(flags: readonly Command.Flag.Any[]): Entry[] {
  return [...flags]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((flag) => {
      const value =
        flag.type === 'boolean' ? '' : `=${'helpValue' in flag && flag.helpValue ? flag.helpValue : 'VALUE'}`
      const repeats = 'multiple' in flag && flag.multiple ? '...' : ''
      const marks = [flag.required ? '(required) ' : '', 'env' in flag && flag.env ? `[env: ${flag.env}] ` : '']
      return [labelled(flag.char, `${flag.name}${value}${repeats}`), `${marks.join('')}${flag.summary ?? ''}`] as const
    })
}

/** Returns a flag as users type it. If the flag has a single-letter form, that form comes first. */
export function labelled(char: string | undefined, name: string): string {
  return `${char === undefined ? '    ' : `-${char}, `}--${name}`
}

/** Formats entries as two columns and wraps the right column. */
export function rows(entries: readonly Entry[]): string {
  const hasLetters = entries.some(([left]) => /^-\w,/.test(left))
  const shown = entries.map(([left, right]) => [hasLetters ? left : left.trim(), right] as const)
  const width = Math.max(0, ...shown.map(([left]) => left.length).filter((length) => length <= WIDEST_LEFT))
  return shown
    .flatMap(([left, right]) => {
      const lines = wrapped(right, WIDTH - width - 4)
      const indented = (line: string) => `  ${' '.repeat(width)}  ${line}`
      if (left.length > width) return [`  ${left}`, ...lines.map(indented)]
      const [first = '', ...rest] = lines
      return [`  ${left.padEnd(width)}  ${first}`, ...rest.map(indented)]
    })
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Wraps paragraphs. Leaves lines that begin with a space unchanged. */
export function paragraphs(text: string, indent = '  '): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .flatMap((line) => (line.startsWith(' ') ? [line] : wrapped(line, WIDTH - indent.length)))
        .map((line) => `${indent}${line}`)
        .join('\n'),
    )
    .join('\n\n')
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}
