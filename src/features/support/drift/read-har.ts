import { closeSync } from 'node:fs'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { readRecords } from '../../../base/json/list/read-records.ts'
import { RecordStreamError } from '../../../base/json/record-stream-error.ts'
import { openGivenFile } from '../../../base/storage/given-file.ts'
import { readChunks } from '../../../base/storage/lines.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { withoutUtf16 } from '../../../base/utf8.ts'
import { foldAnswer } from '../../../contract/answers/fold.ts'
import { MOST_BYTES, parseSample } from '../../../contract/answers/sample.ts'
import type { Shapes } from '../../../contract/answers/shape.ts'
import { findEndpoints } from '../../../contract/paths.ts'
import { type ExpectedAnswer, getExpectedAnswers } from '../../../contract/shapes/expected.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import { copyOwner, settingsOf } from '../../shared/copies.ts'
import { judgeAnswers, type SavedReport } from './report.ts'

/** Maps each service's base URL in a HAR to the number and the shapes of its responses. */
type Answers = Map<string, { readonly shapes: Shapes; answers: number }>

/** The maximum size of an entry, in bytes. It is large because browsers store complete bodies. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024
/** The maximum number of bytes before the value of `log`. */
const MAX_HEAD = 64 * 1024
const HEAD = /^\s*\{\s*"log"\s*:\s*/
const NO_HAR_HINT = 'pass a HAR file that was recorded with --har, or saved by a browser or a proxy'

/**
 * Compares the responses in a HAR with the contract. Throws USAGE for an invalid HAR or if a flag cannot be combined
 * with `--har`.
 */
export async function driftOfHar(
  { host, flags }: Opened<{ readonly forget?: boolean }, object>,
  path: string,
): Promise<SavedReport> {
  if (flags.forget)
    throw usageFailure(['--forget and --har cannot be used together'], 'drift --har reads only the HAR file')
  if (flags.record)
    throw usageFailure(['--record and --har cannot be used together'], 'drift --har reads only the HAR file')
  const settings = settingsOf(host, flags)
  const whose = copyOwner(settings)
  const { byAddress, entries } = await readHar(path, host.signal)
  const chosen = chooseAnswers(byAddress, entries, path, whose.service)
  const service = settings.kind === 'sandbox' ? 'sandbox' : (whose.service ?? chosen.address)
  return judgeAnswers({
    ...{ env: host.env, nowMs: host.now(), service, profile: whose.profile, dialect: settings.shape },
    ...{ shapes: chosen.shapes, troubles: [], recorded: 'ignored' },
  })
}

/**
 * Collects the shapes of the successful responses of documented endpoints in a HAR from any tool. Memory use does not
 * grow with the file. Throws USAGE if the file cannot be read or is not a HAR. The message says where the problem is.
 */
async function readHar(path: string, signal: AbortSignal) {
  const due = new Map((await getExpectedAnswers()).map((one) => [one.id as string, one]))
  const byAddress: Answers = new Map()
  let entries = 0
  try {
    const options = { listMember: 'entries', maxRecordBytes: MAX_ENTRY_BYTES }
    const bytes = withoutUtf16(bytesOf(path), `--har ${JSON.stringify(path)}`)
    for await (const batch of readRecords(insideLog(bytes), options)) {
      signal.throwIfAborted()
      entries += batch.length
      for (const { value } of batch) foldEntry(value as JsonObject, due, byAddress)
    }
  } catch (error) {
    throw explain(error, path, entries)
  }
  return { byAddress, entries }
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const { descriptor, stream, stats } = await openGivenFile(path)
  try {
    if (stats.isDirectory()) throw new Error('it is a directory')
    yield* stream ?? readChunks(descriptor)
  } finally {
    if (stream) stream.destroy()
    else closeSync(descriptor)
  }
}

/** Yields the value of `log`, the only member of a HAR's root object, as JSON text. */
async function* insideLog(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.from('')
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    let rest: Buffer = Buffer.from(chunk)
    if (head !== null) {
      head = Buffer.concat([head, rest])
      const match = HEAD.exec(head.toString('latin1').replace(/^\xef\xbb\xbf/, '   '))
      if (match === null && head.length < MAX_HEAD) continue
      if (match === null) break
      rest = head.subarray(match[0].length)
      head = null
    }
    // Hold back a closing brace that might be the file's last one, which is not part of `log`.
    rest = Buffer.concat([held, rest])
    const last = rest.lastIndexOf('}')
    const isTail = last >= 0 && /^\s*$/.test(rest.subarray(last + 1).toString('latin1'))
    held = isTail ? rest.subarray(last) : Buffer.alloc(0)
    const given = isTail ? rest.subarray(0, last) : rest
    if (given.length > 0) yield given
  }
  if (head !== null) throw new RecordStreamError('not-a-list', 'it does not begin with {"log":')
  if (held.length === 0) throw new RecordStreamError('truncated', 'it is truncated')
}

function foldEntry({ request, response }: JsonObject, due: ReadonlyMap<string, ExpectedAnswer>, byAddress: Answers) {
  if (!isJsonObject(request) || !isJsonObject(response)) return
  const { method, url } = request
  const status = Number(response['status'])
  const found = typeof url === 'string' && typeof method === 'string' ? findEndpoint(method, url) : null
  const answer = found && due.get(found.endpoint.id)
  const body = isJsonObject(response['content']) ? readContent(response['content']) : null
  if (!answer || body === null || !(status >= 200 && status < 300)) return
  const sample = parseSample(body.text, body.isCut)
  if (sample === null && body.isCut) return
  const at = byAddress.get(found.address) ?? { shapes: {}, answers: 0 }
  byAddress.set(found.address, at)
  at.answers++
  foldAnswer(at.shapes, answer, sample)
}

/**
 * Returns the endpoint and the base URL that a URL belongs to. Tries each prefix of the URL's path as the path of the
 * base URL.
 */
function findEndpoint(method: string, text: string) {
  const url = URL.parse(text)
  if (url === null) return null
  const segments = url.pathname.split('/')
  for (let from = 1; from < segments.length; from++) {
    const path = `/${segments.slice(from).join('/')}`
    const found = findEndpoints(path).find(({ endpoint }) => endpoint.method === method)
    if (found) return { endpoint: found.endpoint, address: url.origin + segments.slice(0, from).join('/') }
  }
  return null
}

/** Returns a body's text and whether it is truncated. Returns `null` if the HAR does not contain the body. */
function readContent({ text, encoding, comment }: JsonObject) {
  if (typeof text !== 'string' || text === '') return null
  const whole = encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text
  const isCut = typeof comment === 'string' && /^the first \d+ of \d+ bytes$/.test(comment)
  return { text: whole.slice(0, MOST_BYTES), isCut: isCut || whole.length > MOST_BYTES }
}

function explain(error: unknown, path: string, entries: number): unknown {
  if (error instanceof Failure) return error
  const name = JSON.stringify(path)
  if (error instanceof RecordStreamError) {
    const what = error.message.replaceAll('the response', 'it').replace(/\brecord (\d+)/, 'entry $1')
    return usageFailure(
      [`--har ${name} is not a complete HAR: ${what}${entries > 0 ? ` (after ${entries} complete entries)` : ''}`],
      NO_HAR_HINT,
    )
  }
  if (getSystemErrorCode(error) === null && !(error instanceof Error && error.message === 'it is a directory'))
    return error
  return usageFailure([`--har cannot read ${name}: ${describeSystemError(error)}`], NO_HAR_HINT)
}

/**
 * Returns the responses of the given service, or of the only service in the HAR. Throws USAGE if the HAR contains no
 * responses. Also throws USAGE if it contains several services but not the given one.
 */
function chooseAnswers(byAddress: Answers, entries: number, path: string, address: string | null) {
  const name = JSON.stringify(path)
  if (byAddress.size === 0)
    throw usageFailure(
      [
        `--har ${name} contains no response from the service: none of its ${entries} entries is a successful request to a documented endpoint`,
      ],
      NO_HAR_HINT,
    )
  const named = address === null ? undefined : byAddress.get(address)
  if (named && address !== null) return { shapes: named.shapes, address }
  const [first, ...others] = byAddress
  if (first && others.length === 0) return { shapes: first[1].shapes, address: first[0] }
  const all = [...byAddress].map(([one, { answers }]) => `${one} (${answers})`)
  throw usageFailure(
    [`--har ${name} contains responses from several services: ${all.slice(0, 5).join(', ')}`],
    'choose one of them with --base-url URL',
  )
}
