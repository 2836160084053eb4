import type { Failure } from '../../../base/failure/failure.ts'
import { toFailure } from '../error-report.ts'
import type { Host } from '../host.ts'
import { configFor } from '../oclif-config.ts'
import { hostForInner, type InnerCall } from './inner-host.ts'

export interface InnerCommand extends Omit<InnerCall, 'say'> {
  /** The name of the command, such as `bookings list`. */
  readonly command: string
  /**
   * How to handle a money write: only prepare it, or send it with limits. Undefined if the command is not a money
   * write.
   */
  readonly order?: Host['order'] | undefined
}

export interface InnerEnd {
  /** The failure, or `null` if the command succeeded. */
  readonly failure: Failure | null
  /** The lines for stderr, such as warnings. */
  readonly said: string
  /** The secrets that the result must not contain. */
  readonly secrets: readonly string[]
}

/** Runs a command in this process, as if it had been given `--json`. Returns failures instead of throwing them. */
export async function runInner(call: InnerCommand, host: Host): Promise<InnerEnd> {
  const { command: id, given, order } = call
  const lines: string[] = []
  const values = { ...given, flags: { ...given.flags, json: true } }
  const own = hostForInner(host, { ...call, given: values, say: (text) => void lines.push(text) })
  const here: Host = { ...own, ...(order ? { order } : {}) }
  const end = (failure: Failure | null): InnerEnd => ({ failure, said: lines.join(''), secrets: here.stderr.hidden })
  const module = await host.commands[id]?.()
  if (module === undefined) throw new Error(`the command table has no ${id}`)
  const Named = Object.assign(module.default, { id })
  const command = new Named([], configFor(here))
  try {
    await command._run()
    await here.stdout.flush()
    return end(null)
  } catch (error) {
    return end(toFailure(error, false))
  } finally {
    await command.close().catch(() => {})
  }
}
