import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Failure } from '../../../src/base/failure/failure.ts'
import GiftcardsCancel from '../../../src/commands/giftcards/cancel.ts'
import GiftcardsRedeem from '../../../src/commands/giftcards/redeem.ts'
import InboundRedeem from '../../../src/commands/inbound/redeem.ts'
import SalesCreate from '../../../src/commands/sales/create.ts'
import { sandbox } from '../../../src/features/sandbox/profile.ts'
import { OperationStore } from '../../../src/money/operations/store.ts'
import type { OrderMode, PreparedOrder } from '../../../src/money/orders/order.ts'
import { OrderTable } from '../../../src/money/orders/orders.ts'
import { Output } from '../../../src/terminal/output/output.ts'
import { Waiting } from '../../../src/terminal/output/waiting.ts'
import { toFailure } from '../../../src/terminal/runtime/error-report.ts'
import type { CommandClass, Host } from '../../../src/terminal/runtime/host.ts'
import { configFor } from '../../../src/terminal/runtime/oclif-config.ts'

export type Variables = Readonly<Record<string, string | undefined>>

const COMMANDS = {
  'giftcards redeem': GiftcardsRedeem,
  'giftcards cancel': GiftcardsCancel,
  'inbound redeem': InboundRedeem,
  'sales create': SalesCreate,
} as unknown as Readonly<Record<string, CommandClass>>

const PLAIN = { columns: null, color: false }

export interface AgentRun {
  readonly stdout: string
  readonly stderr: string
  readonly failure: Failure | null
}

/** Runs a money command in this process, as an agent's server does. */
export async function runAsAgent(
  order: OrderMode,
  id: string,
  argv: readonly string[],
  env: Variables,
): Promise<AgentRun> {
  const [out, err]: [string[], string[]] = [[], []]
  const { signal } = new AbortController()
  const stopping = { stopRequested: signal, abandoned: new AbortController().signal }
  const stdout = new Output('stdout', () => collecting(out), stopping)
  const stderr = new Output('stderr', () => collecting(err), stopping, stdout)
  const screen = { columns: () => null, sharesTerminal: () => false, canErase: false }
  const host: Host = {
    ...{ version: 'test', sandbox, dist: '', commands: {}, env, stdout, stderr, order, signal },
    standardInput: () => process.stdin,
    ...{ waiting: new Waiting({ stdout, stderr, ...screen }), stdoutScreen: PLAIN, stderrScreen: PLAIN },
    ...{ canAsk: false, needsYes: false, disableQuestions: () => {}, stop: () => {}, handleSignals: () => {} },
    now: Date.now,
  }
  const Named = COMMANDS[id]
  if (Named === undefined) throw new Error(`there is no command ${id}`)
  const command = new Named(['--json', ...argv], configFor(host))
  let failure: Failure | null = null
  try {
    await command._run()
  } catch (error) {
    failure = toFailure(error, true)
  } finally {
    await command.close()
  }
  await stdout.flush()
  return { stdout: out.join(''), stderr: err.join(''), failure }
}

export interface Limits {
  readonly approveUpTo: bigint | null
  readonly perDay: bigint | null
}

/** Sends a prepared order, with the arguments and flags stored in it. */
export async function commit(handle: string, limits: Limits, env: Variables): Promise<AgentRun> {
  const order = readOrder(handle, env)
  const { command, args, flags } = order
  const words = Object.entries(flags).flatMap(([name, value]) => {
    if (name === 'json' || value === false) return []
    if (value === true) return [`--${name}`]
    return (Array.isArray(value) ? value : [value]).map((one) => `--${name}=${one}`)
  })
  const mode = { kind: 'commit', handle, ...limits } as const
  return runAsAgent(mode, command, [...words, '--', ...Object.values(args).map(String)], env)
}

export function withStore<T>(env: Variables, work: (store: OperationStore) => T): T {
  const store = OperationStore.open(join(env['PARTNER_DATA_DIR'] ?? '', 'operations.db'))
  try {
    return work(store)
  } finally {
    store.close()
  }
}

export function readOrder(handle: string, env: Variables): PreparedOrder {
  return withStore(env, (store) => new OrderTable(store.table).get(handle))
}

function collecting(texts: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      texts.push(String(chunk))
      done()
    },
  })
}
