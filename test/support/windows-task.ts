import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMIT_MS } from './limit.ts'
import { isRequired } from './needs.ts'
import { freshDirectory, runProgram } from './partner.ts'

const SCHEMA = join(import.meta.dirname, '..', 'sync', 'scheduling', 'task-scheduler.xsd')

export const XMLLINT = {
  isMet:
    isRequired('xmllint') || spawnSync('xmllint', ['--version'], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0,
  lack: 'xmllint is not installed',
}

/** Validates a task against the schema of the Task Scheduler. Returns the error messages, or '' if it is valid. */
export async function schemaErrors(task: string | Buffer): Promise<string> {
  const file = join(freshDirectory(), 'task.xml')
  writeFileSync(file, task)
  const { code, stderr } = await runProgram('xmllint', ['--noout', '--schema', SCHEMA, file])
  return code === 0 ? '' : stderr
}

/** A program that Windows starts, with its arguments and the environment variables that the command line sets. */
export interface Started {
  readonly program: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** Returns the program that a task starts. Parses the command line as Task Scheduler, cmd.exe and the program do. */
export function startedBy(task: string): Started {
  const program = textOf(task, 'Command')
  const line = afterTaskScheduler(textOf(task, 'Arguments'))
  if (program !== '%SystemRoot%\\System32\\cmd.exe')
    return { program: afterTaskScheduler(program), args: argumentsIn(line), environment: {} }
  const [, shellLine = ''] = /^\/d \/v:off \/s \/c "(.*)"$/s.exec(line) ?? []
  const environment: Record<string, string> = {}
  const commands = shellCommands(afterExpansion(shellLine))
  for (const command of commands.slice(0, -1)) {
    const [, name = '', value = ''] = /^ ?set (\w+)=(.*)$/s.exec(command) ?? []
    environment[name] = value
  }
  const [, started = '', rest = ''] = /^ "([^"]*)" (.*)$/s.exec(commands.at(-1) ?? '') ?? []
  return { program: started, args: argumentsIn(rest), environment }
}

function textOf(task: string, element: string): string {
  const [, text = ''] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(task) ?? []
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function afterTaskScheduler(text: string): string {
  return afterExpansion(text.replace(/\$\(Arg\d+\)/g, ''))
}

/** Expands each `%NAME%` as cmd.exe does, as if every variable existed. */
function afterExpansion(text: string): string {
  return text.replace(/%(?=([\w][\w ().-]*)(:[^%]*)?%)[^%]*%/g, 'EXPANDED')
}

/** Splits a line into commands and removes escapes, as cmd.exe does. Throws if the line does more than run commands. */
function shellCommands(line: string): string[] {
  const commands = ['']
  let isQuoted = false
  const add = (text: string) => commands.push((commands.pop() ?? '') + text)
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? ''
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted || !/[&|<>()^]/.test(character)) add(character)
    else if (character === '^') {
      at += 1
      add(line[at] ?? '')
    } else if (line.startsWith('&&', at)) {
      commands.push('')
      at += 1
    } else throw new Error(`cmd.exe would interpret ${character} in ${line}`)
  }
  return commands
}

/**
 * Splits arguments as `CommandLineToArgvW` and the C runtime do. Source: "Parsing C command-line arguments" in
 * Microsoft's documentation.
 */
export function argumentsIn(line: string): string[] {
  const args: string[] = []
  let current: string | null = null
  let isQuoted = false
  for (let at = 0; at < line.length; ) {
    const [, slashes = '', quote = ''] = /^(\\*)("?)/.exec(line.slice(at)) ?? []
    at += slashes.length + quote.length
    if (quote !== '') {
      current = (current ?? '') + '\\'.repeat(Math.floor(slashes.length / 2))
      if (slashes.length % 2 === 1) current += '"'
      else if (isQuoted && line[at] === '"') throw new Error(`programs disagree about "" inside of quotes: ${line}`)
      else isQuoted = !isQuoted
    } else if (slashes !== '') current = (current ?? '') + slashes
    else {
      const character = line[at] ?? ''
      at += 1
      if (isQuoted || !/[ \t]/.test(character)) current = (current ?? '') + character
      else if (current !== null) {
        args.push(current)
        current = null
      }
    }
  }
  return current === null ? args : [...args, current]
}
