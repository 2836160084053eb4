export interface WireRequest {
  readonly method: string
  readonly url: URL
  /** The URL of a received request exactly as sent, which signatures cover. Absent from outgoing requests. */
  readonly urlAsSent?: string
  /** Headers, whose names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `null` for a request without a body. */
  readonly body: Uint8Array | null
  /** Cancels the request, even while its response is being read. */
  readonly signal?: AbortSignal
  /** The attempt number, starting at 1. 1 by default. */
  readonly attempt?: number
  /**
   * `own` uses a new connection for this request only, because a reused one may contain leftover bytes or be closed by
   * the server. `shared` by default.
   */
  readonly connection?: 'shared' | 'own'
}

/** A response whose body can be read once. */
export interface WireReply {
  readonly status: number
  /** Headers, whose names are in lower case. Values of repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/** Turns a request into a response, by sending it or by handling it. */
export type Transport = (request: WireRequest) => Promise<WireReply>

/** Adds one behaviour to a transport, such as a deadline, an API key or a trace. */
export type Layer = (next: Transport) => Transport
