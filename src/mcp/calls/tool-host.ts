import { Readable } from 'node:stream'
import { Output } from '../../terminal/output/output.ts'
import { Waiting } from '../../terminal/output/waiting.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import { textSink } from '../../terminal/runtime/many/venue-host.ts'
import type { Given } from '../tools/tool.ts'
import type { Capture } from './capture.ts'

const PLAIN = { columns: null, color: false }

/** What one call of a tool changes about the process that it runs in. */
export interface Call {
  readonly given: Given
  readonly capture: Capture
  readonly signal: AbortSignal
  /** Receives what the command would print on stderr. */
  readonly say: (text: string) => void
}

/** Stderr of one call. A secret that it hides is also hidden in the log of the server. */
class CallStderr extends Output {
  readonly #host: Host

  constructor(host: Host, say: Call['say'], stopping: ConstructorParameters<typeof Output>[2], stdout: Output) {
    super('stderr', () => textSink(say), stopping, stdout)
    this.#host = host
  }

  override hide(secret: string): void {
    super.hide(secret)
    this.#host.stderr.hide(secret)
  }
}

/**
 * Returns the host for one call: nobody can answer questions, nothing reaches the terminal, and standard input, which
 * carries the protocol, is not read.
 */
export function hostForCall(host: Host, { given, capture, signal, say }: Call): Host {
  const stopping = { stopRequested: signal, abandoned: new AbortController().signal }
  const stdout = new Output('stdout', () => textSink(() => {}), stopping)
  const stderr = new CallStderr(host, say, stopping, stdout)
  // The secrets of earlier calls stay hidden.
  for (const secret of host.stderr.hidden) stderr.hide(secret)
  return {
    ...host,
    ...{ stdout, stderr, signal, given, stdoutScreen: PLAIN, stderrScreen: PLAIN },
    waiting: new Waiting({ stdout, stderr, columns: () => null, sharesTerminal: () => false, canErase: false }),
    standardInput: () => Readable.from(given.stdin === null ? [] : [Buffer.from(given.stdin)]),
    printer: ({ context }) => {
      capture.context = context
      return capture
    },
    canAsk: false,
    needsYes: false,
    disableQuestions: () => {},
    stop: () => {},
    handleSignals: () => {},
  }
}
