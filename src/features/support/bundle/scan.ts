import { Failure } from '../../../base/failure/failure.ts'
import { listWrittenForms } from '../../../base/redaction/redaction.ts'
import type { SensitiveData } from './cleaning/sensitive-data.ts'
import { decodings } from './decodings.ts'
import { findAllCards, findEmails, findPhones } from './traces.ts'

/** The place in a bundle where sensitive data was found. Never contains the data itself. */
export interface Finding {
  readonly part: string
  readonly kind: 'a secret in use' | 'an e-mail address' | 'a phone number' | 'a card number'
  /** The name of the member that contains the value, or `null` if the value is in encoded text or in a file name. */
  readonly member: string | null
}

/** A file in a bundle. */
export type Entry = { readonly name: string; readonly bytes: Uint8Array }

/**
 * Searches the names and contents of all files, both raw and decoded. Returns at most one finding of each kind for each
 * file.
 */
export function scan(entries: readonly Entry[], known: SensitiveData): Finding[] {
  const secrets = [...known.secrets].flatMap((secret) => [...listWrittenForms(secret)])
  return entries.flatMap((entry) => (isClean(entry, known, secrets) ? [] : findingsIn(entry, known, secrets)))
}

/**
 * Checks quickly whether a file has no findings. Searches one line at a time, because a file can be large. Returns
 * false if a secret contains a line feed, because no single line can contain that secret.
 */
function isClean({ name, bytes }: Entry, known: SensitiveData, secrets: readonly string[]): boolean {
  if (secrets.some((secret) => secret.includes('\n'))) return false
  const hasTrace = (text: string) => traces(text, known, secrets).length > 0
  if (hasTrace(name)) return false
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let from = 0, end = 0; from < lines.length; from = end + 1) {
    const feed = lines.indexOf('\n', from)
    end = feed < 0 ? lines.length : feed
    const line = lines.toString('utf8', from, end)
    if (hasTrace(line) || decodings(line).some(hasTrace)) return false
  }
  return true
}

function findingsIn({ name, bytes }: Entry, known: SensitiveData, secrets: readonly string[]): Finding[] {
  const text = Buffer.from(bytes).toString('utf8')
  const found = new Map<Finding['kind'], string | null>()
  for (const written of [text, name, ...decodings(text)])
    for (const { kind, start } of traces(written, known, secrets))
      if (!found.has(kind)) found.set(kind, written === text ? memberBefore(text, start) : null)
  return [...found].map(([kind, member]) => ({ part: name, kind, member }))
}

/** Returns the failure for a bundle with findings. */
export function refusal(findings: readonly Finding[]): Failure {
  const lines = findings.map(
    ({ part, kind, member }) =>
      `${part} still contains ${kind}${member === null ? '' : `, at ${JSON.stringify(member)}`}`,
  )
  const isSecret = findings.some(({ kind }) => kind === 'a secret in use')
  return new Failure(
    'INTERNAL',
    'the bundle was not written, because it contains data that must not leave this machine',
    {
      lines,
      guide: 'support',
      hint: isSecret
        ? 'nothing was written; replace the secret with a longer one if it is a common word, or omit the file that contains it'
        : 'nothing was written; remove the data from the setting or file that contains it, and create the bundle again',
      details: { findings: findings.map((finding) => ({ ...finding })) },
    },
  )
}

function traces(text: string, known: SensitiveData, secrets: readonly string[]) {
  const of = (kind: Finding['kind'], spans: readonly { readonly start: number }[]) =>
    spans.slice(0, 1).map(({ start }) => ({ kind, start }))
  return [
    ...of('a secret in use', positionsOf(text, secrets)),
    ...of('an e-mail address', findEmails(text)),
    ...of('a phone number', findPhones(text, known)),
    ...of('a card number', findAllCards(text, known)),
  ]
}

function positionsOf(text: string, words: readonly string[]): { start: number }[] {
  return words.map((word) => ({ start: text.indexOf(word) })).filter(({ start }) => start >= 0)
}

/**
 * Returns the name of the last member before a position in JSON, even if the JSON is inside a string. Returns `null` if
 * there is no such member.
 */
function memberBefore(text: string, at: number): string | null {
  const before = text.slice(Math.max(0, at - 2000), at)
  return [...before.matchAll(/"([^"\\]{1,60})\\*"\s*:/g)].at(-1)?.[1] ?? null
}
