import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { EXIT_CODES } from '../../../src/base/failure/exit-codes.ts'
import { argumentName, type Entry, eachTopic, exampleLines, flagEntries, usageOf, wordsOf } from '../help-text.ts'
import { type GuidePage, guidePages, guidesFor } from './guides.ts'
import { command, entries, escaped, examples, page, paragraphs, type Section } from './roff.ts'

// Writes the manual pages from the manifest that the help pages also use: partner(1), a page for each topic and
// command, and the guides in docs/ as pages in section 7.

interface Topic {
  readonly name: string
  readonly description?: string | undefined
}

/** Writes the manual pages to the directories `man1` and `man7` in `target`. */
export async function writeManPages(root: string, target: string, version: string): Promise<void> {
  const origin = { version, date: dateOfLastCommit(root) }
  const config = await Config.load({ root, version })
  for (const section of ['man1', 'man7']) mkdirSync(join(target, section), { recursive: true })
  const guides = guidePages(root)
  const commands = config.commands.filter((command) => !command.hidden).sort((a, b) => (a.id < b.id ? -1 : 1))
  const isTopic = ({ name }: Topic) => !commands.some(({ id }) => wordsOf(id).join(' ') === wordsOf(name).join(' '))
  const topics = eachTopic(config.topics).filter(isTopic)
  const write = (words: readonly string[], summary: string, parts: readonly Section[]) => {
    const name = ['partner', ...words].join('-')
    writeFileSync(join(target, 'man1', `${name}.1`), page({ name, section: 1 }, summary, parts, origin))
  }
  for (const { name, title, parts } of guides)
    writeFileSync(
      join(target, 'man7', `${name}.7`),
      page({ name, section: 7 }, title, [...parts, ['SEE ALSO', seeAlso(['partner'])]], origin),
    )
  const about = String(config.pjson['description'])
  write([], about, mainPage(about, topics, commands, guides))
  for (const topic of topics) {
    const words = wordsOf(topic.name)
    const own = commands.filter(({ id }) => `${wordsOf(id).join(' ')} `.startsWith(`${words.join(' ')} `))
    write(words, topic.description ?? words.join(' '), topicPage(words, topic.description ?? '', own, guides))
  }
  for (const command of commands)
    write(wordsOf(command.id), command.summary ?? '', commandPage(command, sameTopic(command, commands), guides))
}

function mainPage(
  about: string,
  topics: readonly Topic[],
  commands: readonly Command.Loadable[],
  guides: readonly GuidePage[],
): Section[] {
  const global = new Map<string, Command.Flag.Any>()
  for (const command of commands)
    for (const flag of Object.values(command.flags)) if (flag.helpGroup === 'GLOBAL') global.set(flag.name, flag)
  const codes = Object.groupBy(Object.keys(EXIT_CODES), (code) => String(EXIT_CODES[code as keyof typeof EXIT_CODES]))
  const outer = topics.filter(({ name }) => wordsOf(name).length === 1)
  const names = new Set(outer.map(({ name }) => name))
  const singles = commands.filter(({ id }) => wordsOf(id).length === 1 && !names.has(id))
  return [
    ['SYNOPSIS', command('partner [GLOBAL FLAGS] TOPIC COMMAND [FLAGS]')],
    [
      'DESCRIPTION',
      paragraphs(
        `${about}\n\nEach topic and each command has a page: partner-bookings(1), partner-bookings-list(1). Each guide has one too: partner-money(7). They stand in dist/man of the package, for man -M or MANPATH; partner TOPIC COMMAND --help and partner help GUIDE print the same, with global flags on partner help flags.`,
      ),
    ],
    ['TOPICS', entries(outer.map(({ name, description = '' }) => [name, description]))],
    ['COMMANDS', entries(singles.map(({ id, summary = '' }) => [id, summary]))],
    ['GLOBAL FLAGS', entries(flagEntries([...global.values()]))],
    [
      'EXIT STATUS',
      entries([
        ['0', 'Done, or already so.'],
        ...Object.entries(codes).map(([code, kinds = []]): Entry => [code, kinds.join(', ')]),
      ]),
    ],
    ['GUIDES', entries(guides.map(({ name, title }): Entry => [`${name}(7)`, title]))],
    [
      'SEE ALSO',
      seeAlso(
        outer.map(({ name }) => `partner-${name}`),
        guides.map(({ name }) => name),
      ),
    ],
  ]
}

function topicPage(
  words: readonly string[],
  about: string,
  own: readonly Command.Loadable[],
  guides: readonly GuidePage[],
): Section[] {
  return [
    ['SYNOPSIS', command(`partner ${words.join(' ')} COMMAND`)],
    ['DESCRIPTION', paragraphs(about)],
    ['COMMANDS', entries(own.map(({ id, summary = '' }) => [wordsOf(id).join(' '), summary]))],
    [
      'SEE ALSO',
      seeAlso(
        ['partner', ...own.map(({ id }) => ['partner', ...wordsOf(id)].join('-'))],
        guidesFor(words.join(' '), guides),
      ),
    ],
  ]
}

function commandPage(loadable: Command.Loadable, others: readonly string[], guides: readonly GuidePage[]): Section[] {
  const args = Object.values(loadable.args).map((arg): Entry => [argumentName(arg), arg.description ?? ''])
  const own = Object.values(loadable.flags).filter((flag) => flag.helpGroup !== 'GLOBAL')
  return [
    ['SYNOPSIS', command(`partner ${usageOf(loadable)}`)],
    ['DESCRIPTION', paragraphs(`${loadable.summary ?? ''}\n\n${loadable.description ?? ''}`)],
    ['ARGUMENTS', entries(args)],
    ['FLAGS', `${entries(flagEntries(own))}${own.length > 0 ? '\n.PP\n' : ''}The global flags stand in partner(1).`],
    ['EXAMPLES', examples(exampleLines(loadable))],
    ['SEE ALSO', seeAlso(['partner', ...others], guidesFor(wordsOf(loadable.id).join(' '), guides))],
  ]
}

/** Returns the topic of a command, and the other commands in that topic. */
function sameTopic({ id }: Command.Loadable, commands: readonly Command.Loadable[]): string[] {
  const words = wordsOf(id)
  const topic = words.slice(0, -1)
  if (topic.length === 0) return []
  const near = commands.filter(
    (other) => other.id !== id && wordsOf(other.id).slice(0, -1).join(' ') === topic.join(' '),
  )
  return [topic, ...near.map((other) => wordsOf(other.id))].map((page) => ['partner', ...page].join('-'))
}

function dateOfLastCommit(root: string): string {
  try {
    return execFileSync('git', ['log', '-1', '--format=%cs'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return ''
  }
}

/** Formats a manual page's cross-references: commands and topics first, then guides. */
function seeAlso(names: readonly string[], guides: readonly string[] = []): string {
  const all = [...new Set(names)].map((name) => [name, 1] as const)
  return [...all, ...guides.map((name) => [name, 7] as const)]
    .map(([name, section]) => `.BR ${escaped(name)} (${section})`)
    .join(' ,\n')
}
