import { setTimeout as delay } from 'node:timers/promises'
import { dataDirectory } from '../../base/storage/directories.ts'
import { getCurrentMoment } from '../../money/operations/moment.ts'
import { OperationStore } from '../../money/operations/store.ts'
import { decide } from '../../money/orders/decide.ts'
import type { OrderMode, PreparedOrder } from '../../money/orders/order.ts'
import { getOrderStatus, type OrderStatus } from '../../money/orders/state.ts'
import { toFailure } from '../../terminal/runtime/error-report.ts'
import { type CallParts, errorResult } from '../calls/call-tool.ts'
import { type CommandEnd, runCommand } from '../calls/run-command.ts'
import type { CallContext, Question } from '../server/call.ts'
import { toGiven } from '../tools/arguments.ts'
import type { Given, Tool, ToolResult } from '../tools/tool.ts'
import { questionAbout, resultOfStatus, stateOfQuestion } from './order-result.ts'

/** How long, in milliseconds, a commit waits for the outcome before it returns `pending`. */
const ANSWER_WITHIN_MS = 10_000

/** The limits for all commits, in cents. `null` means no limit. */
export type Limits = Omit<Extract<OrderMode, { kind: 'commit' }>, 'kind' | 'handle'>

/** The tools that send prepared orders. If a call is cancelled, its commit continues. */
export class MoneyTools {
  readonly #parts: CallParts
  readonly #limits: Limits
  readonly #running = new Map<string, Promise<CommandEnd>>()

  constructor(parts: CallParts, limits: Limits) {
    this.#parts = parts
    this.#limits = limits
  }

  /** Returns the state of an order without sending anything. */
  async status(tool: Tool, values: unknown): Promise<ToolResult> {
    try {
      return resultOfStatus(this.#statusOf(handleIn(tool, values)))
    } catch (error) {
      return this.#failed(tool, error)
    }
  }

  /**
   * Carries out an order. Repeated calls never carry it out twice. If a person must approve it first, returns a
   * question, or the state `needs-approval` if the client cannot ask.
   */
  async commit(
    tool: Tool,
    values: unknown,
    { canAsk, answer, outlive }: Omit<CallContext, 'signal'>,
  ): Promise<ToolResult | { readonly ask: Question }> {
    try {
      const handle = handleIn(tool, values)
      const before = this.#statusOf(handle)
      if (before.state === 'needs-approval') {
        const isAnswered = answer !== null && answer.state === stateOfQuestion(before.order)
        if (!isAnswered && canAsk) return { ask: questionAbout(before.order) }
        if (isAnswered && answer.approved !== 'cancelled') this.#decide(handle, answer.approved)
      }
      const { order, state } = this.#statusOf(handle)
      if (state !== 'prepared' && state !== 'pending' && state !== 'unknown')
        return resultOfStatus(this.#statusOf(handle))
      const end = await this.#sent(order, outlive)
      const after = this.#statusOf(handle)
      // The state `prepared` means that nothing was sent, so return the error. The order can be committed again.
      if (after.state === 'prepared' && end?.failure) return this.#failed(tool, end.failure, end)
      return resultOfStatus(after)
    } catch (error) {
      return this.#failed(tool, error)
    }
  }

  /** Sends an order or waits for a commit that is already sending it. Returns `null` if the outcome takes too long. */
  async #sent(order: PreparedOrder, outlive: CallContext['outlive']): Promise<CommandEnd | null> {
    const work = this.#running.get(order.handle) ?? this.#send(order)
    outlive(work)
    const waiting = new AbortController()
    const late = delay(ANSWER_WITHIN_MS, null, { signal: waiting.signal }).catch(() => null)
    return Promise.race([work, late]).finally(() => waiting.abort())
  }

  #send({ handle, command, args, flags }: PreparedOrder): Promise<CommandEnd> {
    const { host } = this.#parts
    const given = { args, flags, stdin: null } as Given
    const order = { kind: 'commit', handle, ...this.#limits } as const
    const work = runCommand({ command, given, limit: 1, signal: host.signal, order }, host).finally(() =>
      this.#running.delete(handle),
    )
    this.#running.set(handle, work)
    return work
  }

  #decide(handle: string, isApproved: boolean): void {
    this.#withStore((store) => decide(store, handle, isApproved ? 'approve' : 'decline', getCurrentMoment()))
  }

  #statusOf(handle: string): OrderStatus {
    const { approveUpTo } = this.#limits
    return this.#withStore((store) => getOrderStatus(store, handle, { now: getCurrentMoment(), approveUpTo }))
  }

  #withStore<T>(work: (store: OperationStore) => T): T {
    const store = OperationStore.open(OperationStore.pathIn(dataDirectory(this.#parts.host.env)))
    try {
      return work(store)
    } finally {
      store.close()
    }
  }

  #failed(tool: Tool, error: unknown, end: CommandEnd | null = null): Promise<ToolResult> {
    const place = { tool, parts: this.#parts, isUntrusted: end !== null }
    return errorResult(toFailure(error, false), end?.secrets ?? [], place)
  }
}

/** Throws USAGE. */
function handleIn(tool: Tool, values: unknown): string {
  return toGiven(tool, values).args['handle'] ?? ''
}
