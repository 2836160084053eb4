import type { Tool, ToolResult } from '../tools/tool.ts'

/** The JSON Schema of the form in which a person decides. Several clients can show only simple members. */
export interface QuestionForm {
  readonly type: 'object'
  readonly properties: {
    readonly approve: { readonly type: 'boolean'; readonly title?: string; readonly description?: string }
  }
  readonly required: readonly ['approve']
}

/** A question that only a person may answer. */
export interface Question {
  readonly message: string
  readonly schema: QuestionForm
  /**
   * What the answer is valid for, such as a handle and a digest of the facts. The client may see it, but cannot change
   * it.
   */
  readonly state: string
}

export interface Answer {
  /** `cancelled` if the person closed the form without a decision, or the client could not show it. */
  readonly approved: boolean | 'cancelled'
  /** The `state` of the question. */
  readonly state: string
}

export interface CallContext {
  /** Aborts when the client cancels the call, and when the connection ends. */
  readonly signal: AbortSignal
  /** Whether the call may return a question. */
  readonly canAsk: boolean
  /** The answer to the question that this call returned before, or `null`. */
  readonly answer: Answer | null
  /** Names work that goes on when the call is cancelled. The server does not end before it. */
  readonly outlive: (work: Promise<unknown>) => void
}

/** Calls a tool. `values` are the arguments as the client sent them, not validated. */
export type Call = (
  tool: Tool,
  values: Readonly<Record<string, unknown>>,
  context: CallContext,
) => Promise<ToolResult | { readonly ask: Question }>
