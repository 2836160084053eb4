import { mkdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { redactBody, redactHeaders } from '../../base/redaction/redaction.ts'
import { openOwnFile } from '../../base/storage/own-file.ts'
import { ConnectionFault } from '../../http/server/connection-fault.ts'
import { WholeBody } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'
import type { Arrival, Outcome, Service } from '../app/request.ts'
import { SIGNATURE_HEADER } from '../credentials.ts'
import { randomHex } from '../random-hex.ts'

/** Records what a sandbox is asked and answers. */
export type Recording = (next: Service<Arrival>) => Service<Arrival>

/** How much of each body is kept: a list may have no end. */
const MOST_BYTES = 1024 * 1024
const SECRET_HEADERS = [SIGNATURE_HEADER.toLowerCase()]

/**
 * Records each request and its answer in a HAR 1.2 file of its own in this directory, without secrets. `_endpoint` is the endpoint
 * that was reached, `_faults` are the IDs of the faults that struck. An answer that broke off, or is longer than 1 MiB, is cut, and has a
 * comment. Fails: the system's error when the directory or the file cannot be made.
 */
export function recordInto(directory: string): Recording {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = new HarFile(join(directory, `sandbox-${process.pid}-${randomHex(4)}.har`))
  return (next) => async (arrival) => {
    const outcome = await next(arrival)
    const { reply } = outcome
    const add = (bytes: Uint8Array, isWhole: boolean) => file.add(entryOf(arrival, outcome, bytes, isWhole))
    if (reply instanceof ConnectionFault) return outcome
    if (reply.body instanceof WholeBody) {
      add(reply.body.bytes.subarray(0, MOST_BYTES), reply.body.bytes.byteLength <= MOST_BYTES)
      return outcome
    }
    return { ...outcome, reply: { ...reply, body: captured(reply.body, add) } }
  }
}

/** A file that is whole after each entry, however the process ends. */
class HarFile {
  readonly #descriptor: number
  #end: number
  #isFirst = true

  constructor(path: string) {
    this.#descriptor = openOwnFile(path, 'replace')
    this.#end = writeSync(
      this.#descriptor,
      '{"log":{"version":"1.2","creator":{"name":"partner sandbox","version":"1"},"entries":[',
    )
    writeSync(this.#descriptor, FOOTER, this.#end)
  }

  add(entry: object): void {
    const bytes = Buffer.from(`${this.#isFirst ? '' : ','}\n${JSON.stringify(entry)}${FOOTER}`)
    this.#isFirst = false
    try {
      writeSync(this.#descriptor, bytes, 0, bytes.byteLength, this.#end)
      this.#end += bytes.byteLength - FOOTER.length
    } catch {
      // The disk is full. Requests are answered all the same.
    }
  }
}

const FOOTER = '\n]}}\n'

async function* captured(body: AsyncIterable<Uint8Array>, done: (bytes: Uint8Array, isWhole: boolean) => void) {
  const chunks: Uint8Array[] = []
  let [kept, came, hasEnded] = [0, 0, false]
  try {
    for await (const chunk of body) {
      // A copy, because the reader of the chunk may reuse its memory.
      const part = Uint8Array.from(chunk.subarray(0, MOST_BYTES - kept))
      chunks.push(part)
      kept += part.byteLength
      came += chunk.byteLength
      yield chunk
    }
    hasEnded = true
  } finally {
    done(Buffer.concat(chunks), hasEnded && kept === came)
  }
}

function entryOf(arrival: Arrival, { reply, endpoint, faults, note }: Outcome, bytes: Uint8Array, isWhole: boolean) {
  const { request, clock } = arrival
  const { status, headers } = reply as WireReply
  return {
    startedDateTime: new Date(clock.now()).toISOString(),
    time: 0,
    request: {
      method: request.method,
      url: request.url.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(Object.entries(redactHeaders(request.headers, SECRET_HEADERS))),
      queryString: pairs([...request.url.searchParams]),
      ...(request.body ? { postData: postData(request.headers, request.body) } : {}),
      headersSize: -1,
      bodySize: request.body?.byteLength ?? 0,
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(Object.entries(redactHeaders(headers, SECRET_HEADERS))),
      content: {
        size: bytes.byteLength,
        mimeType: headers['content-type'] ?? '',
        text: textOf(bytes),
        ...(isWhole ? {} : { comment: `the first ${bytes.byteLength} bytes` }),
      },
      redirectURL: headers['location'] ?? '',
      headersSize: -1,
      bodySize: bytes.byteLength,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    _endpoint: endpoint,
    _faults: faults,
    _note: note,
  }
}

function postData(headers: Arrival['request']['headers'], body: Uint8Array) {
  return { mimeType: headers['content-type'] ?? '', text: textOf(body.subarray(0, MOST_BYTES)) }
}

function textOf(bytes: Uint8Array): string {
  return redactBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
}

function pairs(entries: readonly (readonly [string, string])[]) {
  return entries.map(([name, value]) => ({ name, value }))
}
