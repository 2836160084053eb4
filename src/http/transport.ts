/** One HTTP request, ready to be sent: an absolute address, every header, and the body as bytes. */
export interface WireRequest {
  readonly method: string
  readonly url: URL
  /** The URL letter for letter, as a signature covers it, of a request that was received. Absent from one that is to be sent. */
  readonly urlAsSent?: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Null: no body. */
  readonly body: Uint8Array | null
  /** Stops the request, even while the body of its reply is being read. */
  readonly signal?: AbortSignal
  /** Which attempt this is, from 1; 1 when absent. */
  readonly attempt?: number
  /**
   * `own`: a new connection that carries this request alone. A used one may hold leftovers of an earlier reply, or may
   * already be closed at the other end. `shared` when absent.
   */
  readonly connection?: 'shared' | 'own'
}

/** A reply whose body arrives piece by piece and can be read once. */
export interface WireReply {
  readonly status: number
  /** Names in lower case; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/** Turns a request into a reply: the client's side sends it, the server's side handles it. */
export type Transport = (request: WireRequest) => Promise<WireReply>

/** Adds one behaviour to a transport: a deadline, a key, a trace. */
export type Layer = (next: Transport) => Transport
