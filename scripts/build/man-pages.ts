import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { EXIT_CODES } from '../../src/failure/exit-codes.ts'
import { GUIDES, guideCommand } from '../../src/failure/guides.ts'
import { argumentName, type Entry, exampleLines, flagEntries, usageOf, wordsOf } from './help-text.ts'

// The pages of `man`, from the same manifest as those of --help: partner(1), and one for each topic and command.

/** A line of the source of a page is no longer than this. */
const WIDTH = 78

interface Topic {
  readonly name: string
  readonly description?: string | undefined
}

/** What every page says of where it is from. */
interface Origin {
  readonly version: string
  /** Of the last commit, `2026-11-22`, so that two clones make the same page; empty where there is no git. */
  readonly date: string
}

/** A part of a page: its heading, and its roff. */
type Section = readonly [heading: string, roff: string]

/** Writes a page for the tool, every topic and every command. */
export async function writeManPages(root: string, target: string, version: string): Promise<void> {
  const origin = { version, date: dateOfLastCommit(root) }
  const config = await Config.load({ root, version })
  mkdirSync(target, { recursive: true })
  const commands = config.commands.filter((command) => !command.hidden).sort((a, b) => (a.id < b.id ? -1 : 1))
  const isTopic = ({ name }: Topic) => !commands.some(({ id }) => wordsOf(id).join(' ') === wordsOf(name).join(' '))
  const topics = config.topics.filter(isTopic)
  const write = (words: readonly string[], summary: string, parts: readonly Section[]) => {
    const name = ['partner', ...words].join('-')
    writeFileSync(join(target, `${name}.1`), page(name, summary, parts, origin))
  }
  const about = String(config.pjson['description'])
  write([], about, mainPage(about, topics, commands))
  for (const topic of topics) {
    const words = wordsOf(topic.name)
    const own = commands.filter(({ id }) => `${wordsOf(id).join(' ')} `.startsWith(`${words.join(' ')} `))
    write(words, topic.description ?? words.join(' '), topicPage(words, topic.description ?? '', own))
  }
  for (const command of commands)
    write(wordsOf(command.id), command.summary ?? '', commandPage(command, sameTopic(command, commands)))
}

function page(name: string, summary: string, parts: readonly Section[], { version, date }: Origin): string {
  const sections = parts.filter(([, roff]) => roff !== '').map(([heading, roff]) => `.SH ${heading}\n${roff}`)
  const head = `.TH ${name.toUpperCase()} 1 "${date}" "partner ${version}" "partner manual"\n.nh\n.ad l`
  const line = summary.replace(/\.$/, '')
  return `${[head, `.SH NAME\n${escaped(name)} \\-\n${running(line)}`, ...sections].join('\n')}\n`
}

function mainPage(about: string, topics: readonly Topic[], commands: readonly Command.Loadable[]): Section[] {
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
        `${about}\n\nEach topic and each command has a page: partner-bookings(1), partner-bookings-list(1). They stand in dist/man of the package, for man -M or MANPATH; partner TOPIC COMMAND --help prints the same, with global flags on partner help flags.`,
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
    ['GUIDES', entries(GUIDES.map((guide): Entry => [guideCommand(guide), `docs/${guide}.md`]))],
  ]
}

function topicPage(words: readonly string[], about: string, own: readonly Command.Loadable[]): Section[] {
  return [
    ['SYNOPSIS', command(`partner ${words.join(' ')} COMMAND`)],
    ['DESCRIPTION', paragraphs(about)],
    ['COMMANDS', entries(own.map(({ id, summary = '' }) => [wordsOf(id).join(' '), summary]))],
    ['SEE ALSO', seeAlso(['partner', ...own.map(({ id }) => ['partner', ...wordsOf(id)].join('-'))])],
  ]
}

function commandPage(loadable: Command.Loadable, others: readonly string[]): Section[] {
  const args = Object.values(loadable.args).map((arg): Entry => [argumentName(arg), arg.description ?? ''])
  const own = Object.values(loadable.flags).filter((flag) => flag.helpGroup !== 'GLOBAL')
  return [
    ['SYNOPSIS', command(`partner ${usageOf(loadable)}`)],
    ['DESCRIPTION', paragraphs(`${loadable.summary ?? ''}\n\n${loadable.description ?? ''}`)],
    ['ARGUMENTS', entries(args)],
    ['FLAGS', `${entries(flagEntries(own))}${own.length > 0 ? '\n.PP\n' : ''}The global flags stand in partner(1).`],
    ['EXAMPLES', examples(exampleLines(loadable))],
    ['SEE ALSO', seeAlso(['partner', ...others])],
  ]
}

/** The other commands of its topic, and the page of the topic. */
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

/** Text as roff prints it: no escapes, no requests, hyphens that can be pasted. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\0-\x7f]/gu, (letter) => `\\[u${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(/^([.'])/gm, '\\&$1')
}

/** The same for running text, on lines of their source that are not too long. */
function running(text: string): string {
  const lines = ['']
  for (const word of escaped(text).split(/\s+/)) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.map((line) => line.replace(/^([.'])/, '\\&$1')).join('\n')
}

function command(line: string): string {
  return `.B ${escaped(line).replaceAll('"', '\\(dq')}`
}

function paragraphs(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => running(paragraph))
    .join('\n.PP\n')
}

function entries(rows: readonly Entry[]): string {
  return rows.map(([left, right]) => `.TP\n${command(left.trim())}\n${running(right)}`).join('\n')
}

function examples(text: string): string {
  const lines = text.split('\n\n').filter((line) => line.trim() !== '')
  return lines.map((line) => `.nf\n${escaped(line.trim())}\n.fi`).join('\n.PP\n')
}

function seeAlso(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `.BR ${escaped(name)} (1)`).join(' ,\n')
}
