import { usageFailure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { recordsText } from './records.ts'
import { type Given, MAX_LIMIT, type Tool, type ToolMember, USUAL_LIMIT } from './tool.ts'

/** The arguments of a call, converted for its command. */
export interface GivenCall extends Given {
  /** The maximum number of records to return, or `null` if the tool returns one object. */
  readonly limit: number | null
}

const MAX_BYTES = 64 * 1024
const MAX_TEXTS = 100

/** The maximum number of unknown members that an error lists. */
const MOST_UNKNOWN = 10

/** Reports a problem with a member and returns `undefined`. */
type Report = (words: string) => undefined

/** Checks the arguments of a call and converts them to flags and arguments. Throws USAGE that lists every problem. */
export function toGiven(tool: Tool, values: unknown): GivenCall {
  const given = values === undefined ? {} : values
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw usageFailure(['the arguments must be an object'])
  const problems: string[] = []
  const isList = tool.form === 'list'
  const names = [...Object.keys(tool.members), ...(isList ? ['limit'] : [])]
  reportUnknown(Object.keys(given), names, problems)
  const args: Record<string, string> = {}
  const flags: Record<string, string | boolean | readonly string[]> = {}
  let stdin: string | null = null
  for (const [name, member] of Object.entries(tool.members)) {
    const value = Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : undefined
    if (value === undefined) {
      if (member.required) problems.push(`${name} is required: ${member.about}`)
      continue
    }
    const report = (words: string) => void problems.push(`${name} ${words}`)
    const read = readMember(member, value, report as Report)
    if (read === undefined) continue
    if (member.to === 'flag') flags[member.name] = read
    else if (member.to === 'argument') args[member.name] = String(read)
    else {
      args[member.name] = '-'
      stdin = String(read)
    }
  }
  const limit = isList ? readLimit(given, problems) : null
  if (problems.length > 0) throw usageFailure(problems)
  return { args, flags, stdin, limit }
}

function reportUnknown(typed: readonly string[], names: readonly string[], problems: string[]): void {
  const unknown = typed.filter((name) => !names.includes(name))
  for (const name of unknown.slice(0, MOST_UNKNOWN)) {
    const near = findNearest(name, names)
    problems.push(`${JSON.stringify(name)} is not a member${near === null ? '' : `; did you mean ${near}?`}`)
  }
  const more = unknown.length - MOST_UNKNOWN
  if (more > 0) problems.push(`${more} more ${more === 1 ? 'member is' : 'members are'} unknown`)
}

/** Converts the value of a member. Returns `undefined` if the value is invalid or is equivalent to an absent one. */
function readMember(
  member: ToolMember,
  value: unknown,
  report: Report,
): string | boolean | readonly string[] | undefined {
  switch (member.type) {
    case 'switch':
      if (typeof value !== 'boolean') return report(`must be true or false, not ${describe(value)}`)
      return value || undefined
    case 'integer':
      return readInteger(value, report)?.toString()
    case 'records':
      return recordsText(value, report)
    case 'texts':
      return readTexts(member, value, report)
    case 'text':
      return readText(member, value, report)
  }
}

function readTexts(member: ToolMember, value: unknown, report: Report): readonly string[] | undefined {
  if (!Array.isArray(value)) return report(`must be a list of strings, not ${describe(value)}`)
  if (value.length > MAX_TEXTS) return report(`must have at most ${MAX_TEXTS} items, not ${value.length}`)
  if (value.length === 0) return member.required ? report('must not be empty') : undefined
  const texts = value.map((each: unknown, at) => readText(member, each, (words) => report(`[${at}] ${words}`)))
  return texts.every((text) => text !== undefined) ? texts : undefined
}

function readText({ to, values, isExact }: ToolMember, value: unknown, report: Report): string | undefined {
  if (typeof value !== 'string') return report(`must be a string, not ${describe(value)}`)
  if (Buffer.byteLength(value) > MAX_BYTES) return report(`must be at most ${MAX_BYTES / 1024} KiB`)
  if (!value.isWellFormed()) return report('contains half of a surrogate pair, which is not a character')
  if (!isExact && /\p{Cc}/u.test(value)) return report('must not contain control characters or line breaks')
  // Reject `-`, because some commands would read standard input.
  if (to === 'argument' && value.trim() === '-') return report('must not be "-"')
  if (values !== null && !values.includes(value)) {
    const near = findNearest(value, values)
    const hint = near === null ? '' : `; did you mean ${near}?`
    return report(`must be ${values.join(' or ')}, not ${JSON.stringify(value)}${hint}`)
  }
  return value
}

function readInteger(value: unknown, report: Report): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  // Reject numbers beyond the safe range, because the JSON parser might have rounded them.
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number
  return report(`must be a whole number, not ${describe(value)}`)
}

function readLimit(given: object, problems: string[]): number {
  const value = Object.hasOwn(given, 'limit') ? (given as Record<string, unknown>)['limit'] : USUAL_LIMIT
  const number = readInteger(value, () => undefined)
  if (number !== undefined && number >= 1 && number <= MAX_LIMIT) return number
  problems.push(`limit must be a whole number from 1 to ${MAX_LIMIT}, not ${describe(value)}`)
  return USUAL_LIMIT
}

/** Describes a value of the wrong type in a few words. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
