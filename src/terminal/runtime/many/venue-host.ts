import { Writable } from 'node:stream'
import type { Venue } from '../../output/many/venue.ts'
import { Output } from '../../output/output.ts'
import { Waiting } from '../../output/waiting.ts'
import type { Host } from '../host.ts'

const MIN_COLUMNS = 20

/**
 * Returns the host for one venue. Each stderr line starts with the venue's name. `takeText` receives the text that the
 * command writes directly to stdout.
 */
export function hostFor(host: Host, venue: Venue, signal: AbortSignal, takeText: (text: string) => void): Host {
  const stopping = { stopRequested: signal, abandoned: new AbortController().signal }
  const prefix = `${venue.profile}: `
  const stdout = new Output('stdout', () => textSink(takeText), stopping)
  const stderr = new SharedStderr(host, prefix, stopping)
  const waiting = new Waiting({ stdout, stderr, columns: () => null, sharesTerminal: () => false, canErase: false })
  const { stdoutScreen, stderrScreen } = host
  const columns = stderrScreen.columns === null ? null : Math.max(MIN_COLUMNS, stderrScreen.columns - prefix.length)
  return {
    ...host,
    ...{ stdout, stderr, waiting, stdoutScreen, signal, venue },
    stderrScreen: { ...stderrScreen, columns },
    canAsk: false,
    disableQuestions: () => {},
  }
}

/**
 * A venue's output to the stderr stream that all venues share. Adds the venue's name to each line and hides the venue's
 * secrets in all output.
 */
class SharedStderr extends Output {
  readonly #host: Host

  constructor(host: Host, prefix: string, stopping: ConstructorParameters<typeof Output>[2]) {
    super('stderr', () => lineSink((line) => host.stderr.writeEvenIfQuiet(`${prefix}${line}\n`)), stopping)
    this.#host = host
  }

  override hide(secret: string): void {
    super.hide(secret)
    this.#host.stderr.hide(secret)
  }
}

/** Returns a stream that passes all text to a function. */
export function textSink(take: (text: string) => void): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      take(chunk.toString())
      done()
    },
  })
}

function lineSink(take: (line: string) => Promise<void>): Writable {
  let rest = ''
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      const lines = (rest + chunk.toString()).split('\n')
      rest = lines.pop() ?? ''
      Promise.all(lines.map(take)).then(() => done(), done)
    },
  })
}
