import { Transform, type TransformCallback } from 'node:stream'
import { parseJSONRPCMessage } from '@modelcontextprotocol/server'
import { parseJson, TooDeepError } from '../../base/json/parse.ts'

/** The longest line that the server reads. The SDK would close the connection after a line of 10 MB. */
export const LONGEST_LINE = 4 * 1024 * 1024

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const LINE_FEED = 10

/**
 * Passes on lines that contain a JSON-RPC message and responds to any other line with an error. The SDK would not
 * respond at all, so the client would wait forever.
 */
export class LineGuard extends Transform {
  readonly #reply: (line: string) => void
  #pieces: Buffer[] = []
  #length = 0
  #isTooLong = false

  constructor(reply: (line: string) => void) {
    super()
    this.#reply = reply
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#add(chunk.subarray(start, end))
      this.#endLine()
      start = end + 1
    }
    this.#add(chunk.subarray(start))
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#endLine()
    // The SDK drops pending responses when the input ends. The delay lets it send those that are ready.
    setImmediate(done)
  }

  #add(piece: Buffer): void {
    this.#length += piece.length
    if (this.#length <= LONGEST_LINE) this.#pieces.push(piece)
    else if (!this.#isTooLong) {
      this.#isTooLong = true
      this.#pieces = []
      this.#refuse(INVALID_REQUEST, `Invalid request: a message may be at most ${LONGEST_LINE} bytes`)
    }
  }

  #endLine(): void {
    if (!this.#isTooLong) this.#check(Buffer.concat(this.#pieces))
    this.#pieces = []
    this.#length = 0
    this.#isTooLong = false
  }

  #check(line: Buffer): void {
    const text = line.toString('utf8')
    if (text.trim() === '') return
    let message: unknown
    try {
      message = parseJson(text)
    } catch (error) {
      this.#refuse(
        PARSE_ERROR,
        `Parse error: ${error instanceof TooDeepError ? error.message : 'the line is not JSON'}`,
      )
      return
    }
    try {
      parseJSONRPCMessage(message)
    } catch {
      const problem = Array.isArray(message) ? 'batches are not supported' : 'the line is not a JSON-RPC message'
      this.#refuse(INVALID_REQUEST, `Invalid request: ${problem}`, idOf(message))
      return
    }
    this.push(Buffer.concat([line, Buffer.from('\n')]))
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#reply(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)
  }
}

function idOf(message: unknown): string | number | null {
  const { id } = (message ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
}
