/** One HTTP request, ready to be sent: the address is absolute, the body is bytes, the headers carry everything. */
export interface WireRequest {
  readonly method: string
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Null: no body. */
  readonly body: Uint8Array | null
  /** Ends the exchange, body included. */
  readonly signal?: AbortSignal
  /** How often this request has been sent, this time included; 1 when absent. */
  readonly attempt?: number
  /**
   * `own`: over a connection that is opened for this request and closed after its answer, as one that carried another may
   * bring that one's leftovers, or may be closed by the other side already. `shared` when absent.
   */
  readonly connection?: 'shared' | 'own'
}

/** An answer: its body comes as it arrives and is read once. */
export interface WireReply {
  readonly status: number
  /** Names in lower case; several of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/** Everything that sends HTTP, and everything that answers it. */
export type Transport = (request: WireRequest) => Promise<WireReply>

/** One behaviour around a transport: a deadline, a key, a trace. */
export type Layer = (next: Transport) => Transport
