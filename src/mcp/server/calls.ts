import {
  type CallToolRequestParams,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type InputResponseView,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { Failure } from '../../base/failure/failure.ts'
import { parseJson } from '../../base/json/parse.ts'
import { formatReportJson } from '../../terminal/runtime/error-report.ts'
import { Turns } from '../../terminal/runtime/many/turns.ts'
import type { Tool, ToolResult } from '../tools/tool.ts'
import type { Answer, Call, CallContext, Question } from './call.ts'
import { SealedStates } from './sealed-state.ts'

/** The maximum number of calls that run at the same time. Each can open a session and databases. */
const MOST_AT_ONCE = 8

/**
 * The maximum number of times that one request asks for approval. It asks again only if the facts have changed since
 * the person saw them.
 */
const MOST_QUESTIONS = 3

/** How long, in milliseconds, a person has to submit the approval form. */
const FORM_MS = 10 * 60_000

/** The key of the question in `inputRequests` and of the answer in `inputResponses`. */
const KEY = 'approve'

/** The error message for a `requestState` that was modified, has expired, or was sealed by another process. */
const BAD_STATE = 'Invalid or expired requestState: call the tool again without it'

/**
 * The client of a connection. `isModern` means that it uses the 2026-07-28 revision, in which each request declares the
 * client's capabilities.
 */
export interface Client {
  readonly isModern: boolean
  /** The capabilities that the client declared when it connected. */
  readonly capabilities: ClientCapabilities | undefined
}

export interface CallsOptions {
  readonly tools: readonly Tool[]
  readonly call: Call
  readonly log: (line: string) => void
  readonly now: () => number
}

/** The tool calls of one connection. */
export class Calls {
  readonly #options: CallsOptions
  readonly #tools: ReadonlyMap<string, Tool>
  readonly #turns = new Turns(MOST_AT_ONCE)
  readonly #states: SealedStates
  readonly #unfinished = new Set<Promise<unknown>>()

  constructor(options: CallsOptions) {
    this.#options = options
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]))
    this.#states = new SealedStates(options.now)
  }

  /** Resolves when all calls and the work that continues after them have ended. */
  async settled(): Promise<void> {
    while (this.#unfinished.size > 0) await Promise.all(this.#unfinished)
  }

  /**
   * Handles a `tools/call` request. If the call returns a question, a client of the 2026-07-28 revision receives the
   * question in the result and repeats the request with the answer. Any other client receives the question in a
   * separate request, and answers in its `tools/call` requests are ignored.
   */
  async answer(
    { name, arguments: values = {} }: CallToolRequestParams,
    { mcpReq }: ServerContext,
    { isModern, capabilities }: Client,
  ): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.#tools.get(name)
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`)
    const { signal } = mcpReq
    const mayAsk = canShowForms(isModern ? declaredIn(mcpReq) : capabilities)
    const sealed = isModern ? mcpReq.requestState() : undefined
    const state = sealed === undefined ? null : this.#states.open(sealed, [name, values])
    if (sealed !== undefined && state === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, BAD_STATE)
    let answer = state === null ? null : readAnswer(inputResponse(mcpReq.inputResponses, KEY), state)
    for (let questions = 0; ; questions++) {
      const canAsk = mayAsk && questions < MOST_QUESTIONS
      const result = await this.#run(tool, values, { signal, canAsk, answer, outlive: (work) => this.#watch(work) })
      if (!('ask' in result)) return onWire(result)
      const { ask } = result
      if (isModern) {
        const inputRequests = { [KEY]: inputRequired.elicit(formOf(ask)) }
        return inputRequired({ inputRequests, requestState: this.#states.seal(ask.state, [name, values]) })
      }
      answer = await this.#ask(ask, mcpReq)
    }
  }

  /**
   * Runs a call once a slot is free. An error becomes a result without its message, which might contain private data.
   */
  async #run(tool: Tool, values: Readonly<Record<string, unknown>>, context: CallContext) {
    const work = this.#turns.run(async () => {
      const result = await this.#options.call(tool, values, context)
      if ('ask' in result && !context.canAsk)
        throw new Error('the call asked a question, but the client cannot ask the user')
      return result
    }, context.signal)
    this.#watch(work)
    try {
      return await work
    } catch (error) {
      if (!context.signal.aborted) this.#options.log(`${tool.name}: ${error instanceof Error ? error.stack : error}`)
      return unexpected(tool)
    }
  }

  async #ask(question: Question, { send, signal }: ServerContext['mcpReq']): Promise<Answer | null> {
    const params = { mode: 'form' as const, ...formOf(question) }
    try {
      const response = await send({ method: 'elicitation/create', params }, { timeout: FORM_MS, signal })
      return readAnswer(inputResponse({ [KEY]: response }, KEY), question.state)
    } catch {
      // The client rejected the request, the person took too long, or the call was cancelled.
      return { approved: 'cancelled', state: question.state }
    }
  }

  #watch(work: Promise<unknown>): void {
    const ended: Promise<unknown> = work.then(
      () => this.#unfinished.delete(ended),
      () => this.#unfinished.delete(ended),
    )
    this.#unfinished.add(ended)
  }
}

function declaredIn({ envelope }: ServerContext['mcpReq']): ClientCapabilities | undefined {
  return (envelope as Readonly<Record<string, ClientCapabilities>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]
}

/** Returns whether the client can show forms. Clients that support only forms can declare `elicitation: {}`. */
function canShowForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation
  return elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0)
}

function formOf({ message, schema }: Question) {
  const { properties, required } = schema
  return {
    message,
    requestedSchema: { type: 'object' as const, properties: { ...properties }, required: [...required] },
  }
}

/** Reads a response to the form. Only an accepted form with `approve: true` counts as approval. */
function readAnswer(view: InputResponseView, state: string): Answer | null {
  if (view.kind !== 'elicit') return null
  if (view.action === 'cancel') return { approved: 'cancelled', state }
  return { approved: view.action === 'accept' && view.content?.['approve'] === true, state }
}

function onWire({ structuredContent, text, isError, isUntrusted }: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    structuredContent,
    ...(isError ? { isError } : {}),
    ...(isUntrusted ? { _meta: { 'partner/untrusted': true } } : {}),
  }
}

function unexpected(tool: Tool): ToolResult {
  const message = 'unexpected error: this is a bug in partner; see the server log'
  const outcome = tool.annotations.readOnlyHint ? 'none' : 'unknown'
  const structuredContent = parseJson(formatReportJson(new Failure('INTERNAL', message, { outcome }), undefined))
  return { structuredContent, text: `error: ${message}`, isError: true, isUntrusted: false }
}
