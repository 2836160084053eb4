import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { GUIDES, guideCommand, isGuide } from '../../src/base/failure/guides.ts'
import { MANY_FLAGS } from '../../src/terminal/input/flags.ts'
import { ALIASES } from '../../src/terminal/input/words/aliases.ts'
import { guideText, titleOf } from './guide-text.ts'
import {
  argumentName,
  type Entry,
  eachTopic,
  exampleLines,
  flagEntries,
  labelled,
  paragraphs,
  rows,
  usageOf,
  wordsOf,
} from './help-text.ts'

// The pages as text, so that the launcher can print them before anything is loaded: 80 columns, no colour.

interface Topic {
  readonly name: string
  readonly description?: string | undefined
}

/** What a person who has no profile yet can paste. */
const FIRST_STEPS = ['partner bookings list --from today --profile sandbox', 'partner giftcards list --profile sandbox']

/** Writes the page of every command and topic, the front pages, that of the global flags, and the version. */
export async function writeHelpPages(root: string, target: string, version: string): Promise<void> {
  const config = await Config.load({ root, version })
  mkdirSync(join(target, 'commands'), { recursive: true })
  mkdirSync(join(target, 'topics'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(target, `${name}.txt`), text)
  write('version', version)
  const commands = config.commands.filter((command) => !command.hidden).sort((a, b) => (a.id < b.id ? -1 : 1))
  const isTopic = ({ name }: Topic) => !commands.some(({ id }) => wordsOf(id).join(' ') === wordsOf(name).join(' '))
  const topics = eachTopic(config.topics).filter(isTopic)
  for (const command of commands) write(join('commands', wordsOf(command.id).join('.')), commandPage(command))
  for (const [alias, id] of Object.entries(ALIASES))
    for (const command of commands)
      if (wordsOf(command.id).join(' ') === id) write(join('commands', wordsOf(alias).join('.')), commandPage(command))
  for (const topic of topics) write(join('topics', wordsOf(topic.name).join('.')), topicPage(topic, commands))
  const outer = topics.filter(({ name }) => wordsOf(name).length === 1)
  const front = frontPage(String(config.pjson['description']), outer, commands)
  write('partner', front)
  write('first', `${firstPage()}\n${front}`)
  const flags = globalFlags(commands)
  write('flags', flagsPage(flags))
  write('global-flags', namesOf(flags))
  mkdirSync(join(target, 'guides'), { recursive: true })
  const guides = new Map(GUIDES.map((name) => [name, readFileSync(join(root, 'docs', `${name}.md`), 'utf8')]))
  for (const [name, markdown] of guides) write(join('guides', name), guideText(markdown))
  write('guides', sections([['GUIDES', rows([...guides].map(([name, text]) => [guideCommand(name), titleOf(text)]))]]))
}

function sections(parts: readonly (readonly [title: string, text: string])[]): string {
  return parts
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${title}\n${text}\n`)
    .join('\n')
}

function commandPage(command: Command.Loadable): string {
  const args = Object.values(command.args).map((arg): Entry => [argumentName(arg), arg.description ?? ''])
  const own = Object.values(command.flags).filter((flag) => flag.helpGroup !== 'GLOBAL')
  const body = sections([
    ['USAGE', `  $ partner ${usageOf(command)}`],
    ['DESCRIPTION', paragraphs(`${command.summary ?? ''}\n\n${command.description ?? ''}`)],
    ['EXAMPLES', exampleLines(command)],
    ['ARGUMENTS', rows(args)],
    ['FLAGS', rows(flagEntries(own))],
  ])
  const many = Object.hasOwn(command.flags, 'profiles') ? MANY_LINE : ''
  return `${body}\n${guideLine(command.id)}${many}  Global flags, such as -p, -o, -q and --dry-run: partner help flags\n`
}

/** Leads to the guide of a flag that is global, and changes what a command is about. */
const MANY_LINE = '  For several venues at once: --profiles (partner help many-venues)\n\n'

/** Leads from the page of a command or topic to the guide of the same name. */
function guideLine(id: string): string {
  return isGuide(id) ? `  The guide: ${guideCommand(id)}\n\n` : ''
}

function topicPage(topic: Topic, commands: readonly Command.Loadable[]): string {
  const name = wordsOf(topic.name).join(' ')
  const own = commands.filter(({ id }) => `${wordsOf(id).join(' ')} `.startsWith(`${name} `))
  const body = sections([
    ['USAGE', `  $ partner ${name} COMMAND`],
    ['DESCRIPTION', paragraphs(topic.description ?? name)],
    ['COMMANDS', rows(own.map((command) => [wordsOf(command.id).join(' '), command.summary ?? '']))],
  ])
  return `${body}\n${guideLine(name)}  For more about a command: partner ${name} COMMAND --help\n`
}

function frontPage(description: string, topics: readonly Topic[], commands: readonly Command.Loadable[]): string {
  const topicNames = new Set(topics.map(({ name }) => name))
  const singles = commands.filter((command) => wordsOf(command.id).length === 1 && !topicNames.has(command.id))
  const body = sections([
    ['USAGE', '  $ partner TOPIC COMMAND [FLAGS]'],
    ['TOPICS', rows(topics.map(({ name, description: text = '' }) => [name, text]))],
    ['COMMANDS', rows(singles.map((command) => [command.id, command.summary ?? '']))],
    ['TRY IT, without an account', `  $ ${FIRST_STEPS[0]}`],
    ['SET IT UP', '  $ partner profiles add production --base-url URL'],
  ])
  return `${paragraphs(description, '')}

${body}
  For more about a topic or a command: partner bookings --help, or
  partner bookings list --help. The global flags: partner help flags.
  Guides, such as what happens when the line drops: partner help guides.
`
}

function firstPage(): string {
  return `No profile is set up yet. Try partner on the service inside, without an account:

${FIRST_STEPS.map((line) => `  ${line}`).join('\n')}

Then add your own: partner profiles add NAME --base-url URL
`
}

/** The global flags of all commands, and whether every command has them. */
interface GlobalFlags {
  readonly everywhere: readonly Command.Flag.Any[]
  readonly ofCalls: readonly Command.Flag.Any[]
  /** Those of commands that may run for several venues. */
  readonly ofMany: readonly Command.Flag.Any[]
}

function globalFlags(commands: readonly Command.Loadable[]): GlobalFlags {
  const all = new Map<string, Command.Flag.Any>()
  for (const command of commands)
    for (const flag of Object.values(command.flags)) if (flag.helpGroup === 'GLOBAL') all.set(flag.name, flag)
  const isEverywhere = ({ name }: Command.Flag.Any) => commands.every(({ flags }) => Object.hasOwn(flags, name))
  const flags = [...all.values()]
  const isOfMany = ({ name }: Command.Flag.Any) => Object.hasOwn(MANY_FLAGS, name)
  return {
    everywhere: flags.filter(isEverywhere),
    ofCalls: flags.filter((flag) => !isEverywhere(flag) && !isOfMany(flag)),
    ofMany: flags.filter(isOfMany),
  }
}

function flagsPage({ everywhere, ofCalls, ofMany }: GlobalFlags): string {
  const help: Entry = [labelled('h', 'help'), 'Show the page of a command or a topic.']
  const version: Entry = [labelled('V', 'version'), 'Show the version.']
  return sections([
    ['USAGE', '  $ partner [GLOBAL FLAGS] TOPIC COMMAND [FLAGS]'],
    [
      'DESCRIPTION',
      paragraphs(
        'Global flags may stand anywhere: before the topic, between the words, or after them. A flag wins over a variable, and a variable over the profile. partner config shows what is in effect.',
      ),
    ],
    [
      'EXAMPLES',
      '  $ partner -p sandbox bookings list --from today\n\n  $ partner -p sandbox giftcards list -o csv -q',
    ],
    ['ON EVERY COMMAND', rows([...flagEntries(everywhere), help, version])],
    ['ON COMMANDS THAT CALL THE SERVICE', rows(flagEntries(ofCalls))],
    ['ON COMMANDS THAT READ, FOR SEVERAL VENUES', rows(flagEntries(ofMany))],
  ])
}

/** For the launcher: the global flags that take a value on the first line, those that take none on the second. */
function namesOf({ everywhere, ofCalls, ofMany }: GlobalFlags): string {
  const all = [...everywhere, ...ofCalls, ...ofMany]
  const line = (type: 'option' | 'boolean') =>
    all
      .filter((flag) => flag.type === type)
      .flatMap(({ name, char }) => [`--${name}`, ...(char ? [`-${char}`] : [])])
      .join(' ')
  return `${line('option')}\n${line('boolean')}`
}
