import { CLIError } from '@oclif/core/errors'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { suggestFlagForWords } from './words/misplaced.ts'
import { unknownFlag } from './words/suggest-flag.ts'

interface ParsedCommand {
  readonly id: string
  readonly flagNames: readonly string[]
  readonly argNames: readonly string[]
  readonly requiredFlags: readonly string[]
  readonly isWrite: boolean
  readonly argv: readonly string[]
}

/** Turns a parser's error into a usage error in partner's own words. Returns other errors unchanged. */
export function explainUsage(error: unknown, command: ParsedCommand): unknown {
  const hint = `see partner ${command.id} --help`
  if (error instanceof Failure || !(error instanceof CLIError)) return error
  const many = refuseProfilesFlag(command)
  if (many !== null) return many
  if ('flags' in error && isStringArray(error.flags)) {
    const unknown = error.flags.map((flag) =>
      unknownFlag(flag, command.id, [...command.flagNames, 'help'], command.argNames, command.argv),
    )
    const [only, ...others] = new Set(unknown.map((one) => one.hint))
    const problems = unknown.map(({ problem }) => problem)
    return usageFailure(problems, others.length === 0 && only ? only : hint)
  }
  if ('args' in error && Array.isArray(error.args)) {
    const problems = isStringArray(error.args)
      ? [unexpectedWords(error.args, command.id)]
      : [...error.args.map(missingArgument), ...missingFlags(command)]
    return usageFailure(problems, hint)
  }
  const missing = [...error.message.matchAll(/Missing required flag ([\w-]+)/g)].map(([, flag = '']) => required(flag))
  return usageFailure(missing.length > 0 ? missing : [simplifyMessage(error.message)], hint)
}

/** Returns a failure if `--profiles` is given to a command that does not support it, or `null` otherwise. */
function refuseProfilesFlag({ id, isWrite, flagNames, argv }: ParsedCommand): Failure | null {
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  if (flagNames.includes('profiles') || !own.some((word) => /^--profiles(?:=|$)/.test(word))) return null
  const why = isWrite
    ? `changes data, so it works with one venue at a time`
    : flagNames.includes('profile')
      ? `works with one profile at a time`
      : `does not call a venue's service`
  const hint = flagNames.includes('profile')
    ? 'nothing was sent; choose one venue with --profile NAME'
    : 'omit --profiles'
  return usageFailure([`--profiles is only for reading from many venues: partner ${id} ${why}`], hint, 'many-venues')
}

function unexpectedWords(words: readonly string[], id: string): string {
  const meant = suggestFlagForWords(words, id)
  const said = `unexpected argument ${words.map((word) => JSON.stringify(word)).join(', ')}`
  return meant === null ? said : `${said}; did you mean ${meant}?`
}

function missingArgument(arg: { name: string; description?: string }): string {
  return `missing argument ${arg.name.toUpperCase()}${arg.description ? `: ${arg.description}` : ''}`
}

/** Returns a problem for each missing flag. The parser does not report them if an argument is also missing. */
function missingFlags({ requiredFlags, argv }: ParsedCommand): string[] {
  const isGiven = (name: string) => argv.some((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  return requiredFlags.filter((name) => !isGiven(name)).map(required)
}

const required = (flag: string) => `--${flag} is required`

function isStringArray(values: unknown): values is string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string')
}

function simplifyMessage(message: string): string {
  const choice = /^Expected (--[\w-]+)=([\s\S]*) to be one of: (.*)/.exec(message)
  if (choice) return `${choice[1]} must be one of ${choice[3]}, not ${JSON.stringify(choice[2])}`
  const line = message.replace(/\nSee more help with --help$/, '').replace(/^Parsing --[\w-]+ \n\t/, '')
  return line.replace(/^Flag (--[\w-]+) /, '$1 ').replace(/\s*\n\s*/g, ' ')
}
