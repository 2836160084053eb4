import type { Call, CallContext, Question } from '../../../src/mcp/server/call.ts'
import type { Resources } from '../../../src/mcp/server/resources.ts'
import type { Tool, ToolResult } from '../../../src/mcp/tools/tool.ts'

// Test tools that need no service, and the function that calls them.

function tool(name: string, changes: Partial<Tool> = {}): Tool {
  return {
    name,
    command: null,
    as: 'run',
    allow: 'reads',
    needs: [],
    files: [],
    title: `Title of ${name}`,
    description: `Description of ${name}.`,
    form: 'one',
    members: {},
    inputSchema: { type: 'object', properties: { key: { type: 'string' } }, additionalProperties: false },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    ...changes,
  }
}

const WRITES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }

export const TOOLS: readonly Tool[] = [
  tool('echo', { form: 'list' }),
  tool('refuse'),
  tool('fail'),
  tool('wait'),
  tool('work', { annotations: WRITES }),
  tool('fail_to_write', { annotations: WRITES }),
  tool('commit', { annotations: WRITES }),
]

export const GUIDE = {
  uri: 'partner://guide/money',
  name: 'money',
  title: 'Money',
  description: '',
  mimeType: 'text/plain',
}

export const RESOURCES: Resources = {
  list: () => [GUIDE],
  read: (uri) => (uri === GUIDE.uri ? 'The guide.' : null),
}

/** The message of the error that two tools throw. */
export const SECRET = 'sk-live-0123456789'

/** Runs the test tools for one server and records their calls. */
export class Calls {
  /** The `key` of each call that has started. */
  readonly started: string[] = []
  /** The `key` of each `wait` call that was cancelled. */
  readonly cancelled: string[] = []
  /** The `key` of each completed `work` call. */
  readonly worked: string[] = []
  /** The answers to forms that `commit` received. */
  readonly answers: unknown[] = []
  readonly #gates = new Map<string, PromiseWithResolvers<void>>()

  /** Lets the `wait` and `work` calls with this key continue. */
  release(key: string): void {
    this.#gate(key).resolve()
  }

  readonly call: Call = async ({ name }, values, context) => {
    const key = String(values['key'] ?? '')
    this.started.push(key)
    switch (name) {
      case 'echo':
        return { ...done({ records: [values], truncated: false }), isUntrusted: true }
      case 'refuse':
        return { ...done({ error: { code: 'USAGE', message: 'no' } }), isError: true }
      case 'wait':
        return this.#wait(key, context.signal)
      case 'work':
        context.outlive(this.#work(key))
        return this.#wait(`answer of ${key}`, context.signal)
      case 'commit':
        return this.#commit(key, context)
      default:
        throw new Error(SECRET)
    }
  }

  #gate(key: string): PromiseWithResolvers<void> {
    const gate = this.#gates.get(key) ?? Promise.withResolvers<void>()
    this.#gates.set(key, gate)
    return gate
  }

  async #wait(key: string, signal: AbortSignal): Promise<ToolResult> {
    const { promise, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(signal.reason))
    await Promise.race([this.#gate(key).promise, promise]).catch((error) => {
      this.cancelled.push(key)
      throw error
    })
    return done({ key })
  }

  async #work(key: string): Promise<void> {
    await this.#gate(key).promise
    this.worked.push(key)
  }

  #commit(key: string, { answer, canAsk }: CallContext): ToolResult | { readonly ask: Question } {
    if (answer !== null) this.answers.push(answer)
    if (answer?.state === `facts of ${key}`) return done({ key, approved: answer.approved })
    if (!canAsk) return done({ key, state: 'needs-approval' })
    return {
      ask: {
        message: `Redeem ${key}?`,
        schema: {
          type: 'object',
          properties: { approve: { type: 'boolean', title: 'Approve' } },
          required: ['approve'],
        },
        // The state of a key that starts with "changing" is different on every call.
        state: key.startsWith('changing') ? `${this.started.length} of ${key}` : `facts of ${key}`,
      },
    }
  }
}

function done(structuredContent: ToolResult['structuredContent']): ToolResult {
  return { structuredContent, text: JSON.stringify(structuredContent), isError: false, isUntrusted: false }
}
