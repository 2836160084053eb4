import { Readable } from 'node:stream'
import type { Printing, PrintOptions } from '../../output/many/venue.ts'
import { Output } from '../../output/output.ts'
import { Waiting } from '../../output/waiting.ts'
import type { GivenValues, Host } from '../host.ts'
import { textSink } from '../many/venue-host.ts'

const PLAIN = { columns: null, color: false }

/** The parts of the host that an inner command replaces. */
export interface InnerCall {
  readonly given: GivenValues
  /** The command's standard input, or `null` if it is empty. */
  readonly stdin: string | null
  /** Receives the results of the command. */
  readonly printer: (options: PrintOptions) => Printing
  readonly signal: AbortSignal
  /** Receives the text that the command would print on stderr. */
  readonly say: (text: string) => void
}

/** The stderr stream of an inner command. Secrets hidden in it are also hidden in the outer command's output. */
class InnerStderr extends Output {
  readonly #host: Host

  constructor(host: Host, say: InnerCall['say'], stopping: ConstructorParameters<typeof Output>[2], stdout: Output) {
    super('stderr', () => textSink(say), stopping, stdout)
    this.#host = host
  }

  override hide(secret: string): void {
    super.hide(secret)
    this.#host.stderr.hide(secret)
  }
}

/**
 * Returns the host for a command that runs inside another. The command cannot prompt, does not write to the terminal,
 * and does not read the outer command's standard input.
 */
export function hostForInner(host: Host, { given, stdin, printer, signal, say }: InnerCall): Host {
  const stopping = { stopRequested: signal, abandoned: new AbortController().signal }
  const stdout = new Output('stdout', () => textSink(() => {}), stopping)
  const stderr = new InnerStderr(host, say, stopping, stdout)
  // Keep the secrets of earlier commands hidden.
  for (const secret of host.stderr.hidden) stderr.hide(secret)
  return {
    ...host,
    ...{ stdout, stderr, signal, given, printer, stdoutScreen: PLAIN, stderrScreen: PLAIN },
    waiting: new Waiting({ stdout, stderr, columns: () => null, sharesTerminal: () => false, canErase: false }),
    standardInput: () => Readable.from(stdin === null ? [] : [Buffer.from(stdin)]),
    canAsk: false,
    needsYes: false,
    disableQuestions: () => {},
    stop: () => {},
    handleSignals: () => {},
  }
}
