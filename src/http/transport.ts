export interface WireRequest {
  readonly method: string
  readonly url: URL
  /**
   * The URL of a received request exactly as it was sent, because its signature covers it. Absent from outgoing
   * requests.
   */
  readonly urlAsSent?: string
  /** The headers of the request. Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of the request; `null` if it has none. */
  readonly body: Uint8Array | null
  /** Cancels the request when it aborts, even while the response is being read. */
  readonly signal?: AbortSignal
  /** The number of the attempt, counted from 1. Default: 1. */
  readonly attempt?: number
  /**
   * With `own`, the request gets a new connection, because a reused one might contain leftover bytes, or the server
   * might be closing it. Default: `shared`.
   */
  readonly connection?: 'shared' | 'own'
}

/** A response whose body can be read only once. */
export interface WireReply {
  readonly status: number
  /**
   * The headers of the response. Their names are in lower case. If a header is repeated, its values are joined with
   * commas.
   */
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/** Turns a request into a response, either by sending the request or by handling it. */
export type Transport = (request: WireRequest) => Promise<WireReply>

/** Adds one behaviour to a transport, such as a deadline, an API key or a trace. */
export type Layer = (next: Transport) => Transport
