import type { Failure } from '../../base/failure/failure.ts'
import { toFailure } from '../../terminal/runtime/error-report.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import { configFor } from '../../terminal/runtime/oclif-config.ts'
import type { Given } from '../tools/tool.ts'
import { Capture, type Captured } from './capture.ts'
import { hostForCall } from './tool-host.ts'

export interface CommandCall {
  /** The name of the command, such as `bookings list`. */
  readonly command: string
  readonly given: Given
  /** The maximum number of records of a list. */
  readonly limit: number
  readonly signal: AbortSignal
  /** How a money write is made: only prepared, or sent with limits. Undefined for all other commands. */
  readonly order?: Host['order'] | undefined
}

/** How a command ended. Either `captured` or `failure` is not `null`. */
export interface CommandEnd {
  readonly captured: Captured | null
  readonly failure: Failure | null
  /** The lines for stderr, such as warnings. */
  readonly said: string
  /** The secrets that the result must not contain. */
  readonly secrets: readonly string[]
}

/** Runs a command in this process, as if it had been given `--json`. Never throws. */
export async function runCommand(
  { command: id, given, limit, signal, order }: CommandCall,
  host: Host,
): Promise<CommandEnd> {
  const capture = new Capture(limit)
  const lines: string[] = []
  const values = { ...given, flags: { ...given.flags, json: true } }
  const call = { given: values, capture, signal, say: (text: string) => void lines.push(text) }
  const here: Host = { ...hostForCall(host, call), ...(order ? { order } : {}) }
  const end = (failure: Failure | null): CommandEnd => ({
    captured: failure === null ? capture.result : null,
    failure,
    said: lines.join(''),
    secrets: here.stderr.hidden,
  })
  const module = await host.commands[id]?.()
  if (module === undefined) throw new Error(`the command table has no ${id}`)
  const Named = Object.assign(module.default, { id })
  const command = new Named([], configFor(here))
  try {
    await command._run()
    await here.stdout.flush()
    if (capture.result === null) throw new Error(`${id} has printed nothing`)
    return end(null)
  } catch (error) {
    const failure = toFailure(error, false)
    // The failure repeats what the printed result says, such as the reasons why a reservation would be rejected.
    const isOnlyVerdict = failure.code === 'PARTIAL_FAILURE' || failure.outcome === 'none'
    return capture.result !== null && isOnlyVerdict ? end(null) : end(failure)
  } finally {
    await command.close().catch(() => {})
  }
}
