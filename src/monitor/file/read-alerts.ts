import { resolve } from 'node:path'
import { Fields } from '../../base/json/located/fields.ts'
import type { Complain, LocatedValue } from '../../base/json/located/located-yaml.ts'
import { secretReference } from '../../client/profiles/secrets.ts'
import { isHeaderValue, parseWebhookUrl } from '../alerts/webhook.ts'
import type { AlertEntry, Given } from './monitor-file.ts'

const KINDS = ['exec', 'webhook', 'file', 'stderr'] as const
type AlertKind = (typeof KINDS)[number]
const EXPECTED = `expected one of ${KINDS.join(', ')}, such as webhook: https://alerts.example/in`

/** Headers that partner sets itself. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'host', 'idempotency-key', 'transfer-encoding'])
const CREDENTIAL_HEADER = /auth|token|key|secret|cookie|passw|sign/i
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/

/** Reads the destinations for alerts. Reports every mistake. */
export function readAlerts(items: readonly LocatedValue[], directory: string, complain: Complain): AlertEntry[] {
  const seen = new Map<string, number>()
  return items.flatMap((item) => {
    const entry = readAlert(item, directory, complain)
    if (entry === null) return []
    const target = JSON.stringify(entry.kind === 'webhook' ? [entry.kind, entry.url] : entry)
    const line = seen.get(target)
    if (line !== undefined) complain(item.place, `line ${line} already contains this destination`)
    seen.set(target, item.place.line)
    return [entry]
  })
}

function readAlert(item: LocatedValue, directory: string, complain: Complain): AlertEntry | null {
  const fields = Fields.of(item, EXPECTED, complain)
  if (!fields) return null
  const given = KINDS.filter((kind) => fields.has(kind))
  const [kind] = given
  fields.only([...KINDS, ...(given.length === 0 || given.includes('webhook') ? ['headers'] : [])])
  if (kind === undefined || given.length > 1) {
    // An unknown member is probably a misspelled kind. It has already been reported, so do not report a missing kind
    // too.
    const isReported = kind === undefined && fields.members().some(([name]) => name !== 'headers')
    if (!isReported) fields.complain(kind === undefined ? EXPECTED : `expected only one of ${given.join(', ')}`)
    return null
  }
  return READERS[kind](fields, { directory, complain })
}

type Reader = (fields: Fields, place: { readonly directory: string; readonly complain: Complain }) => AlertEntry | null

const READERS: Readonly<Record<AlertKind, Reader>> = {
  exec: (fields) => ({ kind: 'exec', command: fields.text('exec', './tell.sh') }),
  file: (fields, { directory }) => ({ kind: 'file', path: resolve(directory, fields.text('file', 'alerts.ndjson')) }),
  stderr: (fields) => {
    if (fields.plain('stderr') !== true) fields.complain('stderr must be true', 'stderr')
    return { kind: 'stderr' }
  },
  webhook: (fields, { directory, complain }) => {
    const text = fields.text('webhook', 'https://alerts.example/in')
    const secret = secretReference(text, directory)
    const problem = text === '' || secret !== null ? null : parseWebhookUrl(text)
    if (typeof problem === 'string')
      complain(
        fields.located('webhook')?.place ?? fields.place,
        `webhook ${problem}, or env:VARIABLE, file:PATH or command:CMD`,
      )
    const headers = fields.has('headers') ? readHeaders(fields, directory, complain) : {}
    return { kind: 'webhook', url: secret === null ? { text } : { secret }, headers }
  },
}

function readHeaders(fields: Fields, directory: string, complain: Complain): Readonly<Record<string, Given>> {
  const headers = fields.fields('headers', 'headers, such as { Authorization: env:ALERT_TOKEN }')
  const read: Record<string, Given> = {}
  for (const [name, { value, place, namePlace }] of headers?.members() ?? []) {
    const lower = name.toLowerCase()
    if (!HEADER_NAME.test(name)) complain(namePlace, 'this is not a valid header name')
    else if (OWN_HEADERS.has(lower)) complain(namePlace, `the header ${name} is reserved and cannot be set`)
    else if (lower in read) complain(namePlace, `the header ${name} is repeated`)
    else if (typeof value !== 'string' || value === '') complain(place, `${name} must be text: put it in quotes`)
    else {
      const secret = secretReference(value, directory)
      if (secret !== null) read[lower] = { secret }
      else if (CREDENTIAL_HEADER.test(name))
        complain(place, `${name} must be env:VARIABLE, file:PATH or command:CMD, not the secret itself`)
      else if (!isHeaderValue(value)) complain(place, `${name} contains characters that are not allowed in a header`)
      else read[lower] = { text: value }
    }
  }
  return read
}
