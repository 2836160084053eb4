import type { WireReply } from '../transport.ts'

/** A body that is completely in memory. The server sends it in one piece and states its length. */
export class WholeBody implements AsyncIterable<Uint8Array> {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    if (this.bytes.byteLength > 0) yield this.bytes
  }
}

const NO_BODY = new WholeBody(new Uint8Array())

/** Builds a response with a JSON body, or without a body if the value is `undefined`. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): WireReply {
  if (value === undefined) return { status, headers, body: NO_BODY }
  return jsonTextReply(status, JSON.stringify(value), headers)
}

export function jsonTextReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): WireReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: new WholeBody(Buffer.from(text, 'utf8')),
  }
}
