import { CLIError } from '@oclif/core/errors'
import { Failure, usageFailure } from '../../failure/failure.ts'
import { findNearest } from '../../failure/nearest.ts'

/** What the parser was working on. */
export interface ParsedCommand {
  /** `bookings list` */
  readonly id: string
  readonly flagNames: readonly string[]
}

/** Turns an error of the parser into a usage failure in our words. Returns any other error as it is. */
export function explainUsage(error: unknown, command: ParsedCommand): unknown {
  const hint = `see partner ${command.id} --help`
  if (error instanceof Failure || !(error instanceof CLIError)) return error
  if ('flags' in error && isTexts(error.flags))
    return usageFailure(
      error.flags.map((flag) => unknownFlag(flag, command)),
      error.flags.every(isAboutBody)
        ? 'use --param k=v for an extra query parameter: this command sends no body'
        : hint,
    )
  if ('args' in error && Array.isArray(error.args)) {
    const problems = isTexts(error.args)
      ? [`unexpected argument ${error.args.map((arg) => JSON.stringify(arg)).join(', ')}`]
      : error.args.map(missingArgument)
    return usageFailure(problems, hint)
  }
  const missing = [...error.message.matchAll(/Missing required flag ([\w-]+)/g)].map(
    ([, flag]) => `--${flag} is required`,
  )
  return usageFailure(missing.length > 0 ? missing : [plain(error.message)], hint)
}

function missingArgument(arg: { name: string; description?: string }): string {
  return `missing argument ${arg.name.toUpperCase()}${arg.description ? `: ${arg.description}` : ''}`
}

function isAboutBody(flag: string): boolean {
  return /^--(?:data|set)(?:=|$)/.test(flag)
}

function isTexts(values: unknown): values is string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string')
}

function unknownFlag(flag: string, command: ParsedCommand): string {
  const name = flag.replace(/=.*$/s, '')
  const near = findNearest(name.replace(/^-+/, ''), command.flagNames)
  return `unknown flag ${name}${near ? `; did you mean --${near}?` : ''}`
}

/** Removes what the parser adds around a message. */
function plain(message: string): string {
  const choice = /^Expected (--[\w-]+)=([\s\S]*) to be one of: (.*)/.exec(message)
  if (choice) return `${choice[1]} must be one of ${choice[3]}, not ${JSON.stringify(choice[2])}`
  const line = message.replace(/\nSee more help with --help$/, '').replace(/^Parsing --[\w-]+ \n\t/, '')
  return line.replace(/^Flag (--[\w-]+) /, '$1 ').replace(/\s*\n\s*/g, ' ')
}
