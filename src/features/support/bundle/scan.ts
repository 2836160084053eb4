import { Failure } from '../../../base/failure/failure.ts'
import { listWrittenForms } from '../../../base/redaction/redaction.ts'
import { decodings } from './decodings.ts'
import type { Known } from './door/known.ts'
import { findAllCards, findEmails, findPhones } from './traces.ts'

/** The place of something that must not leave this machine. Does not contain the thing itself. */
export interface Finding {
  readonly part: string
  readonly kind: 'a secret in use' | 'an e-mail address' | 'a phone number' | 'a card number'
  /** The member it is in, or after. Null if it is in encoded text or in a file name. */
  readonly member: string | null
}

/** A file of a bundle. */
export type Entry = { readonly name: string; readonly bytes: Uint8Array }

/** Searches all files and file names, also decoded. Returns one finding of each kind per file. */
export function scan(entries: readonly Entry[], known: Known): Finding[] {
  const secrets = [...known.secrets].flatMap((secret) => [...listWrittenForms(secret)])
  return entries.flatMap((entry) => (isClean(entry, known, secrets) ? [] : findingsIn(entry, known, secrets)))
}

/** Whether there is nothing to find. Searches line by line, as a file may be large: only a secret can contain a line feed. */
function isClean({ name, bytes }: Entry, known: Known, secrets: readonly string[]): boolean {
  if (secrets.some((secret) => secret.includes('\n'))) return false
  const isTelling = (text: string) => traces(text, known, secrets).length > 0
  if (isTelling(name)) return false
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let from = 0, end = 0; from < lines.length; from = end + 1) {
    const feed = lines.indexOf('\n', from)
    end = feed < 0 ? lines.length : feed
    const line = lines.toString('utf8', from, end)
    if (isTelling(line) || decodings(line).some(isTelling)) return false
  }
  return true
}

function findingsIn({ name, bytes }: Entry, known: Known, secrets: readonly string[]): Finding[] {
  const text = Buffer.from(bytes).toString('utf8')
  const found = new Map<Finding['kind'], string | null>()
  for (const written of [text, name, ...decodings(text)])
    for (const { kind, start } of traces(written, known, secrets))
      if (!found.has(kind)) found.set(kind, written === text ? memberBefore(text, start) : null)
  return [...found].map(([kind, member]) => ({ part: name, kind, member }))
}

/** Returns the failure of a bundle with findings. */
export function refusal(findings: readonly Finding[]): Failure {
  const lines = findings.map(
    ({ part, kind, member }) => `${part} still holds ${kind}${member === null ? '' : `, at ${JSON.stringify(member)}`}`,
  )
  const isSecret = findings.some(({ kind }) => kind === 'a secret in use')
  return new Failure('INTERNAL', 'the bundle is not written: it would tell what must not leave this machine', {
    lines,
    guide: 'support',
    hint: isSecret
      ? 'a secret that is a common word must be changed for a longer one; else leave out the file that it comes from; nothing was written'
      : 'take it out of the setting or the file that it comes from, and make the bundle again; nothing was written',
    details: { findings: findings.map((finding) => ({ ...finding })) },
  })
}

function traces(text: string, known: Known, secrets: readonly string[]) {
  const of = (kind: Finding['kind'], spans: readonly { readonly start: number }[]) =>
    spans.slice(0, 1).map(({ start }) => ({ kind, start }))
  return [
    ...of('a secret in use', places(text, secrets)),
    ...of('an e-mail address', findEmails(text)),
    ...of('a phone number', findPhones(text, known)),
    ...of('a card number', findAllCards(text, known)),
  ]
}

function places(text: string, words: readonly string[]): { start: number }[] {
  return words.map((word) => ({ start: text.indexOf(word) })).filter(({ start }) => start >= 0)
}

/** The last member name before a position in JSON, also nested as text. Null if there is none. */
function memberBefore(text: string, at: number): string | null {
  const before = text.slice(Math.max(0, at - 2000), at)
  return [...before.matchAll(/"([^"\\]{1,60})\\*"\s*:/g)].at(-1)?.[1] ?? null
}
