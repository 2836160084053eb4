import type { ZodError } from 'zod'
import { joinNames } from '../../base/counted.ts'
import { type JsonValue, numberText } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import type { Schema } from '../../contract/shapes/schema.ts'
import type { Problems } from './problems.ts'

type Issue = ZodError['issues'][number]

/** Maps the path of each body member to its flag, such as `customer.phone` to `--phone`. */
export type FlagNames = Readonly<Record<string, string>>

/** Checks a request body or query against the API contract. Reports at most one problem per flag. */
export async function validate(schema: Schema, value: JsonValue, flags: FlagNames, problems: Problems): Promise<void> {
  const { success, error } = (await compiled(schema)).safeParse(value)
  if (success) return
  for (const issue of error.issues) {
    const path = issue.path.map(String).join('.')
    if (problems.hasProblemWith(flags[path] ?? path)) continue
    problems.add(describeIssue(issue, path, value, flags))
  }
}

const known = new Map<Schema, Promise<ReturnType<Schema>>>()

/** Compiles each schema only once, because an import checks every line against a schema. */
function compiled(schema: Schema): Promise<ReturnType<Schema>> {
  const made = known.get(schema) ?? compile(schema)
  known.set(schema, made)
  return made
}

async function compile(schema: Schema): Promise<ReturnType<Schema>> {
  const z = await import('zod')
  z.config({ jitless: true })
  return schema(z)
}

function describeIssue(issue: Issue, path: string, value: JsonValue, flags: FlagNames): string {
  const given = valueAt(value, path)
  const missing = given === undefined || given === null
  const below = Object.entries(flags).filter(([member]) => member.startsWith(`${path}.`) && path !== '')
  const name = flags[path] ?? (below.length > 0 && missing ? null : path === '' ? 'the body' : path)
  if (name === null)
    return `${joinNames(below.map(([, flag]) => flag).filter((flag) => REQUIRED_GUEST_FLAGS.has(flag)))} are required`
  if (issue.code === 'custom' && issue.message.endsWith('is required'))
    return issue.message.replace(/[\w.]+/g, (word) => flags[word] ?? word)
  if (missing) return `${name} is required`
  return `${name} ${isTooLong(issue, given) ? LONG_NUMBER : describeConstraint(issue)}, not ${shown(given)}`
}

const LONG_NUMBER = 'must be a plain number of at most 15 digits'

function isTooLong(issue: Issue, given: JsonValue): boolean {
  if (issue.code !== 'invalid_type' || !['int', 'number'].includes(issue.expected)) return false
  const text = typeof given === 'string' ? given : numberText(given)
  return text !== null && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) && (/e/i.test(text) || text.length > 15)
}

const REQUIRED_GUEST_FLAGS = new Set(['--first-name', '--last-name', '--phone'])

function describeConstraint(issue: Issue): string {
  if (issue.code === 'too_small')
    return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'invalid_type') return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`
  return issue.message
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
