export interface WireRequest {
  readonly method: string
  readonly url: URL
  /** The URL of a received request letter for letter, as a signature covers it. Absent from one to send. */
  readonly urlAsSent?: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Null for none. */
  readonly body: Uint8Array | null
  /** Stops the request, even while its reply is being read. */
  readonly signal?: AbortSignal
  /** From 1; 1 if absent. */
  readonly attempt?: number
  /** `own`: not reused, because a used one may have leftovers or be closed at the other end. `shared` if absent. */
  readonly connection?: 'shared' | 'own'
}

/** A reply whose body can be read once. */
export interface WireReply {
  readonly status: number
  /** Names in lower case; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/** Turns a request into a reply, by sending or by handling it. */
export type Transport = (request: WireRequest) => Promise<WireReply>

/** Adds one behaviour to a transport: a deadline, a key, a trace. */
export type Layer = (next: Transport) => Transport
