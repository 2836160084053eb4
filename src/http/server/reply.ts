import type { WireReply } from '../transport.ts'

/** A body that is known as a whole; a server sends it in one piece, with its length. */
export class WholeBody implements AsyncIterable<Uint8Array> {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    if (this.bytes.byteLength > 0) yield this.bytes
  }
}

/** No body at all. */
const NO_BODY = new WholeBody(new Uint8Array())

/** An answer whose body is JSON; `undefined` sends no body. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): WireReply {
  if (value === undefined) return { status, headers, body: NO_BODY }
  return jsonTextReply(status, JSON.stringify(value), headers)
}

/** An answer whose body is JSON that is text already. */
export function jsonTextReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): WireReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: new WholeBody(Buffer.from(text, 'utf8')),
  }
}
