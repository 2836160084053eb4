import type { Node, Pair, Scalar, YAMLMap } from 'yaml'
import { findNearest } from '../../../base/failure/nearest.ts'
import { secretReference } from '../../../client/profiles/secrets.ts'
import { parseEventName, WEBHOOK_EVENTS } from '../../../contract/events.ts'
import { eventProblem, urlProblem } from '../checks.ts'
import { CREDENTIALS, type DesiredSubscription, type FilePosition, type Reference } from '../desired.ts'

/** Context for reading the entries of a file. */
export interface Reading {
  /** Whether to reject unknown events and invalid URLs. */
  readonly isChecked: boolean
  /** Called for each problem, with its offset in the text. */
  readonly addProblem: (offset: number, words: string) => void
  readonly positionOf: (offset: number) => FilePosition
  /** The problems found so far. */
  readonly problems: readonly unknown[]
  readonly yaml: typeof import('yaml')
}

type FoundText = { readonly text: string; readonly offset: number }

/** An entry in the file. */
export interface Entry {
  /** The event, or `null` if the entry has none. */
  readonly event: FoundText | null
  /** The desired subscription, or `null` if the entry contains a mistake. */
  readonly subscription: DesiredSubscription | null
}

const MEMBERS = ['event', 'webhookUrl', ...CREDENTIALS] as const
type Member = (typeof MEMBERS)[number]

const NO_ENTRY: Entry = { event: null, subscription: null }

/** Reads one entry. Messages never quote text that may be a secret. */
export function readEntry(node: Node, reading: Reading): Entry {
  const { isChecked, addProblem, positionOf, problems, yaml } = reading
  const problemsBefore = problems.length
  const start = node.range?.[0] ?? 0
  if (reportReuse(node, start, reading)) return NO_ENTRY
  if (!yaml.isMap(node)) {
    addProblem(start, 'expected a subscription with event, webhookUrl and, optionally, securityKey and securityToken')
    return NO_ENTRY
  }
  const judge = (offset: number, problem: string | null) => {
    if (problem !== null) addProblem(offset, problem)
  }
  const texts = textsOf(node as YAMLMap<unknown, unknown>, reading)
  const { event: named, webhookUrl } = texts.found
  const event = named && { ...named, text: (isChecked ? parseEventName(named.text) : null) ?? named.text }
  for (const member of ['event', 'webhookUrl'] as const)
    if (!texts.named.has(member)) judge(start, `${member} is missing`)
  if (isChecked && event) judge(event.offset, eventProblem(event.text, `; use one of ${WEBHOOK_EVENTS.join(', ')}`))
  if (isChecked && webhookUrl) judge(webhookUrl.offset, urlProblem(webhookUrl.text, 'webhookUrl'))
  const credentials = Object.fromEntries(
    CREDENTIALS.map((member): [string, Reference | null] => {
      const found = texts.found[member]
      const source = found && referenceIn(found.text)
      if (found && !source) judge(found.offset, `${member} must be env:VARIABLE or file:PATH, not the secret itself`)
      return [member, found && source ? { source, place: positionOf(found.offset) } : null]
    }),
  ) as Pick<DesiredSubscription, (typeof CREDENTIALS)[number]>
  const isWhole = problems.length === problemsBefore && event && webhookUrl
  return {
    event: event ?? null,
    subscription: isWhole ? { event: event.text, webhookUrl: webhookUrl.text, ...credentials } : null,
  }
}

/** Reads an entry's members. Returns all names as `named`, and the members whose values are text as `found`. */
function textsOf({ items }: YAMLMap<unknown, unknown>, reading: Reading) {
  const { addProblem, yaml } = reading
  const found: { [member in Member]?: FoundText } = {}
  const named = new Set<string>()
  for (const { key, value } of items as readonly Pair<unknown, unknown>[]) {
    const keyAt = (yaml.isNode(key) ? key.range?.[0] : undefined) ?? 0
    const name = yaml.isScalar(key) ? String(key.value) : null
    if (reportReuse(key, keyAt, reading)) continue
    if (name === null) addProblem(keyAt, 'member names must be text')
    else if (!isMember(name)) addProblem(keyAt, unknownMember(name))
    else if (named.has(name)) addProblem(keyAt, `${name} is repeated`)
    else {
      const valueAt = (yaml.isNode(value) ? value.range?.[0] : undefined) ?? keyAt
      const problem = textProblem(value, name, yaml)
      named.add(name)
      if (reportReuse(value, valueAt, reading)) continue
      if (problem !== null) addProblem(isBlank(value, yaml) ? keyAt : valueAt, problem)
      else found[name] = { text: (value as Scalar<string>).value, offset: valueAt }
    }
  }
  return { found, named }
}

function isMember(name: string): name is Member {
  return MEMBERS.some((member) => member === name)
}

/**
 * Describes an unknown member. Quotes the name only if it looks like a member name. If the space after a colon is
 * missing, YAML treats the value as part of the name, and the value may be a secret.
 */
function unknownMember(name: string): string {
  const [, forgotten] = /^(\w+):./.exec(name) ?? []
  if (forgotten && isMember(forgotten)) return `a space is missing after ${forgotten}:`
  if (!/^[\w.-]{1,40}$/.test(name)) return `unknown member; use one of ${MEMBERS.join(', ')}`
  const near = findNearest(name, MEMBERS)
  const next = near ? `did you mean ${near}?` : `use one of ${MEMBERS.join(', ')}`
  return `unknown member ${JSON.stringify(name)}; ${next}`
}

/** Reports anchors and aliases, which can make a small file expand to a huge one. */
function reportReuse(node: unknown, offset: number, { addProblem, yaml }: Reading): boolean {
  const isReused = yaml.isAlias(node) || (yaml.isNode(node) && 'anchor' in node && node.anchor !== undefined)
  if (isReused) addProblem(offset, 'anchors (&) and aliases (*) are not allowed: write the value out')
  return isReused
}

function textProblem(value: unknown, name: Member, yaml: Reading['yaml']): string | null {
  if (isBlank(value, yaml)) return `${name} has no value`
  if (yaml.isScalar(value) && typeof value.value === 'string') return null
  return `${name} must be text${yaml.isScalar(value) ? ': put it in quotes' : ''}`
}

function isBlank(value: unknown, { isScalar }: Reading['yaml']): boolean {
  return value === null || (isScalar(value) && (value.value === null || value.value === ''))
}

/** Parses a reference to a credential. Returns `null` for any other text, which may be the secret itself. */
function referenceIn(text: string): Reference['source'] | null {
  return /^(?:env|file):/.test(text) ? secretReference(text) : null
}
