import { attempt } from '../../base/attempt.ts'
import { messageOf, usageFailure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseExact } from '../../base/json/exact.ts'
import { MAX_DEPTH } from '../../base/json/parse.ts'
import { readGivenFile, readToEnd } from '../../base/storage/given-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import { decodeUtf8, refuseUtf16 } from '../../base/utf8.ts'
import { interruptible, readStandardInput } from './interruptible.ts'
import type { Problems } from './problems.ts'

/** A JSON object under construction. Members that are `undefined` are omitted. */
export type Members = Record<string, JsonValue | undefined>

/** Removes undefined members. Returns `undefined` if no members remain. */
export function present(members: Members): JsonObject | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/**
 * A marker for a member to remove from `--data` and `--set`, because the service would use that member instead of the
 * one that a flag sets.
 */
export const REMOVED: unique symbol = Symbol('taken out')

export type TypedMembers = Record<string, JsonValue | undefined | typeof REMOVED>

export type ExtraBody = { readonly data?: string | undefined; readonly set?: readonly string[] | undefined }

/**
 * Builds a request body. Other flags override `--set`, which overrides `--data`. Throws USAGE if the content of
 * `--data` cannot be read.
 */
export async function buildBody(extra: ExtraBody, flags: TypedMembers, problems: Problems): Promise<JsonObject> {
  const data = extra.data === undefined ? undefined : await readGivenText(extra.data, '--data')
  const base = data === undefined ? {} : problems.check(() => parsedObject(data))
  let body: JsonValue = base ?? {}
  for (const setting of extra.set ?? []) {
    const changed: JsonValue = body
    body = problems.check(() => applySetting(changed, setting)) ?? body
  }
  return mergeMembers(body, flags)
}

/** Reads text that is given directly, as `@file`, or as `-` for standard input. Throws USAGE if it cannot be read. */
export async function readGivenText(given: string, flag: string): Promise<string> {
  const bytes = await readGivenBytes(given, flag)
  return isGivenDirectly(given) ? given : decodeUtf8(bytes, `${flag}: ${describeGiven(given)}`)
}

/** Works like {@link readGivenText}, but returns the exact bytes. Accepts any encoding except UTF-16. */
export async function readTextBytes(given: string, flag: string): Promise<Uint8Array> {
  const bytes = await readGivenBytes(given, flag)
  if (!isGivenDirectly(given)) refuseUtf16(bytes, `${flag}: ${describeGiven(given)}`)
  return bytes
}

function isGivenDirectly(given: string): boolean {
  return given !== '-' && !given.startsWith('@')
}

function describeGiven(given: string): string {
  return given === '-' ? 'standard input' : JSON.stringify(given.slice(1))
}

/** Works like {@link readGivenText}, but returns the exact bytes, which need not be text. */
export async function readGivenBytes(given: string, flag: string): Promise<Uint8Array> {
  if (isGivenDirectly(given)) return Buffer.from(given)
  const path = given.slice(1)
  const reading = { maxBytes: MAX_BODY_BYTES }
  try {
    if (given === '-') return await readStandardInput((input) => readToEnd(input, reading))
    return await interruptible(async (signal) => (await readGivenFile(path, { ...reading, signal })).bytes)
  } catch (error) {
    if (error instanceof Interrupted) throw error
    throw usageFailure(
      [
        `${flag}: cannot read ${describeGiven(given)}: ${REASONS[getSystemErrorCode(error) ?? ''] ?? describeSystemError(error)}`,
      ],
      'pass JSON, @file, or - for standard input',
    )
  }
}

/** The maximum size of a body. It exceeds any real request, but prevents an endless file from exhausting memory. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

const REASONS: Readonly<Record<string, string>> = { ENOENT: 'there is no such file', EISDIR: 'it is a directory' }

function parsedObject(text: string): JsonObject {
  const refuse = (why: string) => usageFailure([`--data ${why}`], 'pass a JSON object, @file, or -')
  let value: JsonValue
  try {
    value = parseExact(text)
  } catch (error) {
    throw refuse(`is not JSON: ${messageOf(error)}`)
  }
  if (!isJsonObject(value)) throw refuse('must be a JSON object')
  return value
}

/** Applies a setting such as `a.b.0=1`. The value is a string if it is not valid JSON. */
function applySetting(body: JsonValue, setting: string): JsonValue {
  const equals = setting.indexOf('=')
  const path = setting.slice(0, equals)
  if (equals < 1 || path.split('.').some((part) => part === ''))
    throw usageFailure(
      [`--set must be path=value, not ${JSON.stringify(setting)}`],
      'for example --set customer.notes="window seat"',
    )
  const parts = path.split('.')
  if (parts.length > MAX_DEPTH)
    throw usageFailure([`--set ${JSON.stringify(path)} is more than ${MAX_DEPTH} levels deep`])
  const text = setting.slice(equals + 1)
  const value = attempt(() => parseExact(text), text)
  return withValue(body, parts, value, setting)
}

function withValue(old: JsonValue | undefined, path: readonly string[], value: JsonValue, setting: string): JsonValue {
  const [head, ...rest] = path
  if (head === undefined) return value
  if (Array.isArray(old) || (old === undefined && /^\d+$/.test(head))) {
    const items = [...((old ?? []) as readonly JsonValue[])]
    const index = /^\d{1,6}$/.test(head) ? Number(head) : Number.NaN
    if (!(index <= items.length)) {
      const why = `${JSON.stringify(head)} is not a valid index in a list of length ${items.length}`
      throw usageFailure([`--set ${JSON.stringify(setting)}: ${why}`])
    }
    items[index] = withValue(items[index], rest, value, setting)
    return items
  }
  const object = isJsonObject(old) ? old : {}
  return withMember(object, head, withValue(own(object, head), rest, value, setting))
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Sets a member of an object, even if its name is `__proto__`. */
function withMember(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return Object.fromEntries([...Object.entries(without(object, name)), [name, value]])
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([known]) => known !== name))
}

function mergeMembers(base: JsonValue, members: TypedMembers): JsonObject {
  let result: JsonObject = isJsonObject(base) ? base : {}
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue
    if (value === REMOVED) result = without(result, name)
    else if (!isJsonObject(value)) result = withMember(result, name, value)
    else {
      const next = mergeMembers(own(result, name) ?? {}, value)
      if (Object.keys(next).length > 0) result = withMember(result, name, next)
    }
  }
  return result
}
