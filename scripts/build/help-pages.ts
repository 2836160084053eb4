import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { GUIDES, guideCommand, isGuide } from '../../src/base/failure/guides.ts'
import { MANY_FLAGS } from '../../src/terminal/input/flags.ts'
import { ALIASES } from '../../src/terminal/input/words/aliases.ts'
import { guideText } from './guide-text.ts'
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

// Writes the help pages as plain text that is 80 columns wide, so that the launcher can print them without loading
// anything else.

interface Topic {
  readonly name: string
  readonly description?: string | undefined
}

/**
 * The help page that `partner` prints without arguments. It has at most 24 lines of 80 columns, so that any terminal
 * shows all of it.
 */
const FRONT_PAGE = `\
EVERY DAY
  bookings, reservations  list, create and change bookings; find free times
  giftcards               look up, redeem and cancel gift cards
  sales, customers        submit sales from the till; list customers
KEEP A COPY
  bookings sync           keep a local copy of all bookings up to date
  report night            print the venue's day for the office
WEBHOOKS
  webhooks                subscribe, receive events, and find missed ones
  sign, inbound           sign requests to the partner endpoints, and send them
FIND OUT WHAT IS WRONG
  doctor                  check everything between this machine and the service
  timeline, operations    see what happened to a booking, a card or a payment
TRY IT WITHOUT AN ACCOUNT, THEN SET UP YOUR VENUE
  $ partner bookings list --from today --profile sandbox
  $ partner profiles add production --base-url URL

All topics and commands: partner help topics. One of them: partner sign --help.
All guides: partner help guides. One of them: partner help money.
`

/** Writes a help page for every command, topic and guide, the overview pages, and the version. */
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
  write('partner', `${paragraphs(String(config.pjson['description']), '')}\n\n${FRONT_PAGE}`)
  write('topics', topicsPage(outer, commands))
  const flags = globalFlags(commands)
  write('flags', flagsPage(flags))
  write('global-flags', namesOf(flags))
  mkdirSync(join(target, 'guides'), { recursive: true })
  const guide = (name: string) => guideText(readFileSync(join(root, 'docs', `${name}.md`), 'utf8'))
  for (const name of GUIDES) write(join('guides', name), guide(name))
  write('guides', guide('README'))
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

/**
 * The help text for `--profiles`. It is separate from the other global flags, because it makes a command run for
 * several venues.
 */
const MANY_LINE = '  For several venues at once: --profiles (partner help many-venues)\n\n'

/** Returns a line that points to the guide with the same name as the command or topic. */
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

function topicsPage(topics: readonly Topic[], commands: readonly Command.Loadable[]): string {
  const topicNames = new Set(topics.map(({ name }) => name))
  const singles = commands.filter((command) => wordsOf(command.id).length === 1 && !topicNames.has(command.id))
  const body = sections([
    ['USAGE', '  $ partner TOPIC COMMAND [FLAGS]'],
    ['TOPICS', rows(topics.map(({ name, description = '' }) => [name, description]))],
    ['COMMANDS', rows(singles.map((command) => [command.id, command.summary ?? '']))],
  ])
  return `${body}\n  For more about a topic or a command: partner bookings --help, or\n  partner bookings list --help.\n`
}

/** The global flags, grouped by which commands accept them. */
interface GlobalFlags {
  readonly everywhere: readonly Command.Flag.Any[]
  readonly ofCalls: readonly Command.Flag.Any[]
  /** Flags that are accepted only by commands that can run for several venues. */
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
  const noPager: Entry = [labelled(undefined, 'no-pager'), 'Print long help pages without a pager.']
  return sections([
    ['USAGE', '  $ partner [GLOBAL FLAGS] TOPIC COMMAND [FLAGS]'],
    [
      'DESCRIPTION',
      paragraphs(
        'Global flags can be anywhere: before the topic, between the words, or after them. A flag overrides a variable, and a variable overrides the profile. partner config shows the settings in effect.',
      ),
    ],
    [
      'EXAMPLES',
      '  $ partner -p sandbox bookings list --from today\n\n  $ partner -p sandbox giftcards list -o csv -q',
    ],
    ['ON EVERY COMMAND', rows([...flagEntries(everywhere), help, noPager, version])],
    ['ON COMMANDS THAT CALL THE SERVICE', rows(flagEntries(ofCalls))],
    ['ON COMMANDS THAT READ, FOR SEVERAL VENUES', rows(flagEntries(ofMany))],
  ])
}

/**
 * Lists the names of the global flags for the launcher. The flags on the first line take a value, and those on the
 * second line do not.
 */
function namesOf({ everywhere, ofCalls, ofMany }: GlobalFlags): string {
  const all = [...everywhere, ...ofCalls, ...ofMany]
  const line = (type: 'option' | 'boolean') =>
    all
      .filter((flag) => flag.type === type)
      .flatMap(({ name, char }) => [`--${name}`, ...(char ? [`-${char}`] : [])])
      .join(' ')
  return `${line('option')}\n${line('boolean')}`
}
