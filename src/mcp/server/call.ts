import type { Tool, ToolResult } from '../tools/tool.ts'

/** The JSON Schema of the approval form. It is flat because several clients can show only simple members. */
export interface QuestionForm {
  readonly type: 'object'
  readonly properties: {
    readonly approve: { readonly type: 'boolean'; readonly title?: string; readonly description?: string }
  }
  readonly required: readonly ['approve']
}

/** A question that a person must answer. */
export interface Question {
  readonly message: string
  readonly schema: QuestionForm
  /**
   * A string that identifies the order and the facts that the person approves. The client can read it but cannot change
   * it.
   */
  readonly state: string
}

export interface Answer {
  /** `cancelled` if the person closed the form without a decision, or if the client could not show the form. */
  readonly approved: boolean | 'cancelled'
  /** The `state` of the question that was answered. */
  readonly state: string
}

export interface CallContext {
  /** Aborts when the client cancels the call or the connection ends. */
  readonly signal: AbortSignal
  /** Whether the call is allowed to return a question. */
  readonly canAsk: boolean
  /** The answer to the question that the call asked, or `null` if there is none. */
  readonly answer: Answer | null
  /** Registers work that continues if the call is cancelled. The server waits for this work before it exits. */
  readonly outlive: (work: Promise<unknown>) => void
}

/** Calls a tool. `values` are the client's arguments, which have not been validated. */
export type Call = (
  tool: Tool,
  values: Readonly<Record<string, unknown>>,
  context: CallContext,
) => Promise<ToolResult | { readonly ask: Question }>
