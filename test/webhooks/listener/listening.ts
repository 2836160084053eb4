import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parseNdjson } from '../../support/ndjson.ts'
import {
  type Environment,
  freshDirectory,
  freshHome,
  type ProgramOptions,
  type Running,
} from '../../support/partner.ts'
import { type Act, answers, type RawServer, startRawServer } from '../../support/raw-server.ts'
import { startPartner } from '../../support/running.ts'
import { until } from '../../support/until.ts'

export interface JournalLine {
  readonly time: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBase64: string
  readonly verdict: string
}

type Headers = Readonly<Record<string, string>>

/**
 * Returns a running program with functions that watch its output and stop it with Ctrl-C. The program is killed after
 * the test.
 */
export function watched(running: Running) {
  onTestFinished(() => void running.process.kill('SIGKILL'))
  return {
    ...running,
    says: (text: string) => until(() => running.said.stderr.includes(text)),
    records: () => parseNdjson(running.said.stdout),
    stop: () => {
      running.process.kill('SIGINT')
      return running.ended
    },
  }
}

/** Starts a program that a test can kill and restart. The program is killed after the test. */
export function startRestartable(start: () => Running) {
  let running = start()
  onTestFinished(() => void running.process.kill('SIGKILL'))
  const kill = () => {
    running.process.kill('SIGKILL')
    return running.ended
  }
  return {
    get said() {
      return running.said
    },
    kill,
    async restart() {
      await kill()
      running = start()
    },
  }
}

interface StartOptions extends Pick<ProgramOptions, 'stdout'> {
  readonly env?: Environment
  /** The path of the journal, or `null` for the default path. */
  readonly journal?: string | null
}

export async function startListening(args: readonly string[] = [], options: StartOptions = {}) {
  const { env = {}, stdout, journal = join(freshDirectory(), 'hooks.ndjson') } = options
  const line = ['webhooks', 'listen', ...(journal === null ? [] : ['--journal', journal]), ...args]
  const running = watched(startPartner(line, { env: { ...freshHome(), ...env }, stdout }))
  let hasEnded = false
  void running.ended.then(() => {
    hasEnded = true
  })
  await until(() => running.said.stderr.includes('listening on') || hasEnded)
  const url = /listening on (\S+);/.exec(running.said.stderr)?.[1]
  if (url === undefined) throw new Error(`webhooks listen did not start: ${running.said.stderr}`)
  return {
    ...running,
    url,
    journal: journal ?? '',
    post: (body: string | Uint8Array, headers?: Headers) => post(url, body, headers),
    lines: () => journalLines(journal ?? ''),
  }
}

export function journalLines(path: string): JournalLine[] {
  return parseNdjson(readFileSync(path, 'utf8'))
}

export function bodyOf({ bodyBase64 }: JournalLine): string {
  return Buffer.from(bodyBase64, 'base64').toString('utf8')
}

/** Posts a body to a receiver. Returns the status of the response, or 0 if no response arrived. */
export async function post(url: string, body: string | Uint8Array, headers: Headers = {}): Promise<number> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body: typeof body === 'string' ? body : Buffer.from(body),
      headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

export function bookingEvent(event: string, bookingId = 'BK-1001'): string {
  return JSON.stringify({ eventType: event, data: { bookingId, locationId: 'L-1' } })
}

export function startTarget(act: Act = answers(200), port?: number): Promise<RawServer> {
  return startRawServer([act], port === undefined ? {} : { port })
}
