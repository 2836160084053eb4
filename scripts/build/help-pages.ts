import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { Help } from '@oclif/core/help'

/** The pages as text, so that the launcher can print them before anything is loaded: 80 columns, no colour. */
class PageHelp extends Help {
  constructor(config: Config) {
    super(config, { stripAnsi: true, maxWidth: 80, hideAliasesFromRoot: true })
  }

  /** The summary first, then a usage that names what is required and nothing else, then oclif's own sections. */
  pageOf(command: Command.Loadable): string {
    const summary = command.summary ?? ''
    const sections = withoutTrailingSpace(this.formatCommand(command))
      .replace(/^USAGE\n(?: .*\n)+\n?/, '')
      .replace(/\nDESCRIPTION\n(?:(?: {2}.*)?\n)*?\n(?=(?: {2}\S| {2}$))/, '\nDESCRIPTION\n')
    const isOnlySummary = (command.description ?? '') === ''
    const body = isOnlySummary ? sections.replace(/\nDESCRIPTION\n(?: {2}.*\n)+\n?/, '\n') : sections
    return `${wrapped(summary, 80).join('\n')}\n\nUSAGE\n  $ partner ${usageOf(command)}\n\n${body}\n`
  }
}

function usageOf(command: Command.Loadable): string {
  if (command.usage) return String(command.usage)
  const args = Object.values(command.args).map((arg) =>
    arg.required ? arg.name.toUpperCase() : `[${arg.name.toUpperCase()}]`,
  )
  const required = Object.values(command.flags)
    .filter((flag) => flag.required)
    .map((flag) => `--${flag.name} ${'helpValue' in flag ? String(flag.helpValue) : ''}`.trim())
  return [...wordsOf(command.id), ...args, ...required, '[FLAGS]'].join(' ')
}

function withoutTrailingSpace(text: string): string {
  return text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()
}

/** The words of a command id, whichever separator oclif has put between them. */
function wordsOf(id: string): string[] {
  return id.split(/[ :]/)
}

/** Writes the page of every command and topic, the front page, and the version. */
export async function writeHelpPages(root: string, target: string, version: string): Promise<void> {
  const config = await Config.load({ root, version })
  const help = new PageHelp(config)
  mkdirSync(join(target, 'commands'), { recursive: true })
  mkdirSync(join(target, 'topics'), { recursive: true })
  writeFileSync(join(target, 'version.txt'), version)
  const commands = config.commands.filter((command) => !command.hidden).sort((a, b) => (a.id < b.id ? -1 : 1))
  const isTopic = ({ name }: Topic) => !commands.some(({ id }) => wordsOf(id).join(' ') === wordsOf(name).join(' '))
  const topics = config.topics.filter(isTopic)
  for (const command of commands)
    writeFileSync(join(target, 'commands', `${wordsOf(command.id).join('.')}.txt`), help.pageOf(command))
  for (const topic of topics)
    writeFileSync(join(target, 'topics', `${wordsOf(topic.name).join('.')}.txt`), topicPage(topic, commands))
  const outer = topics.filter(({ name }) => wordsOf(name).length === 1)
  writeFileSync(join(target, 'partner.txt'), frontPage(String(config.pjson['description']), outer, commands))
}

interface Topic {
  readonly name: string
  readonly description?: string | undefined
}

/** Lines of two columns within 80, the right one wrapped. */
function rows(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([left]) => left.length))
  return pairs
    .flatMap(([left, right]) => {
      const [first = '', ...rest] = wrapped(right, 80 - width - 4)
      return [`  ${left.padEnd(width)}  ${first}`, ...rest.map((line) => `  ${' '.repeat(width)}  ${line}`)]
    })
    .map((line) => line.trimEnd())
    .join('\n')
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

function topicPage(topic: Topic, commands: readonly Command.Loadable[]): string {
  const name = wordsOf(topic.name).join(' ')
  const own = commands.filter(({ id }) => `${wordsOf(id).join(' ')} `.startsWith(`${name} `))
  return `${topic.description ?? name}

USAGE
  $ partner ${name} COMMAND

COMMANDS
${rows(own.map((command) => [wordsOf(command.id).join(' '), command.summary ?? '']))}

  For more about a command: partner ${name} COMMAND --help
`
}

function frontPage(description: string, topics: readonly Topic[], commands: readonly Command.Loadable[]): string {
  const topicNames = new Set(topics.map(({ name }) => name))
  const singles = commands.filter((command) => wordsOf(command.id).length === 1 && !topicNames.has(command.id))
  const commandRows = singles.map((command) => [command.id, command.summary ?? ''] as const)
  return `${wrapped(description, 80).join('\n')}

USAGE
  $ partner TOPIC COMMAND [FLAGS]

TOPICS
${rows(topics.map(({ name, description: text = '' }) => [name, text] as const))}
${commandRows.length > 0 ? `\nCOMMANDS\n${rows(commandRows)}\n` : ''}
TRY IT, without an account
  $ partner bookings list --from today --include-customer --profile sandbox

SET IT UP
  $ partner profiles add production --base-url URL

  For more about a topic or command: partner bookings --help, or
  partner bookings list --help.
`
}
