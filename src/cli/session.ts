import { join } from 'node:path'
import { cacheDirectory, dataDirectory } from '../files/directories.ts'
import { withApiKey } from '../http/auth.ts'
import type { Caller } from '../http/call.ts'
import { withDeadline } from '../http/deadline.ts'
import { Pace } from '../http/pace.ts'
import { withTrace } from '../http/trace.ts'
import { openTransport } from '../http/undici.ts'
import type { EnvironmentName, Mode } from '../profiles/profile.ts'
import { profilesPath, readProfiles } from '../profiles/read.ts'
import { resolveTarget } from '../profiles/resolve.ts'
import { readSecret } from '../profiles/secret-reading.ts'
import { terminalSafe } from '../render/safe-text.ts'
import type { Host } from './host.ts'
import { traceLine } from './trace-line.ts'

/** What the flags of a command say about how to reach the service. */
export interface SessionFlags {
  readonly profile?: string | undefined
  readonly baseUrl?: string | undefined
  readonly timeoutMs: number
  readonly retries: number
  readonly verbose: boolean
}

/** An open way to the service. */
export interface Session {
  readonly caller: Caller
  /** The service, as a name that outlives this run: its base URL, or `sandbox` for the one inside. */
  readonly service: string
  /** What the profile lets a command do; null: as the environment says. */
  readonly mode: Mode | null
  readonly environment: EnvironmentName | null
  /** IANA zone of the venue; null when nobody said. */
  readonly timezone: string | null
  /** The key, for what shows a masked one. */
  readonly apiKey: () => Promise<string>
  close(): Promise<void>
}

/** One wait between two attempts may take this long, or as long as an attempt may where that is longer. Milliseconds. */
const LONGEST_WAIT_MS = 60_000

/**
 * Finds out which service is meant and opens a way to it; for the profile `sandbox`, starts it in this process first.
 * Nothing is sent yet. Fails: NO_PROFILE, USAGE.
 */
export async function openSession(host: Host, flags: SessionFlags): Promise<Session> {
  const target = resolveTarget({
    flags: { profile: flags.profile, baseUrl: flags.baseUrl },
    env: host.env,
    profiles: () => readProfiles(profilesPath(host.env)),
  })
  const say = (line: string) => void host.stderr.write(`${terminalSafe(line)}\n`)
  for (const warning of target.warnings) say(`warning: ${warning}`)
  const profile = target.profile?.value ?? null
  if (target.kind === 'sandbox') {
    const { startSandbox } = await import('../sandbox/start.ts')
    const sandbox = await startSandbox({ data: join(dataDirectory(host.env), 'sandbox') })
    const baseUrl = new URL(sandbox.baseUrl)
    // A key that was given tries another of the documented key states.
    const given = target.apiKey?.value
    const apiKey = async () => (given ? readSecret(given, host.env, 'API key') : sandbox.apiKey)
    const opened = await openCaller(host, flags, baseUrl, profile, 'sandbox', apiKey)
    return {
      ...opened,
      mode: target.mode,
      environment: null,
      timezone: target.timezone?.value ?? sandbox.timezone,
      close: async () => {
        await opened.close()
        await sandbox.close()
      },
    }
  }
  const { value: source } = target.apiKey
  const service = target.baseUrl.value.href.replace(/\/+$/, '')
  const opened = await openCaller(host, flags, target.baseUrl.value, profile, service, () =>
    readSecret(source, host.env, 'API key', { warn: (line) => say(`warning: ${line}`) }),
  )
  return { ...opened, timezone: target.timezone?.value ?? null, mode: target.mode, environment: target.environment }
}

async function openCaller(
  host: Host,
  flags: SessionFlags,
  baseUrl: URL,
  profile: string | null,
  service: string,
  readKey: () => Promise<string>,
): Promise<Omit<Session, 'timezone' | 'mode' | 'environment'>> {
  const verbose = flags.verbose || host.env['PARTNER_DEBUG'] === '1'
  const say = (line: string) => void host.stderr.write(`${terminalSafe(line)}\n`)
  let key: Promise<string> | undefined
  const apiKey = () => {
    key ??= readKey()
    return key
  }
  const { transport, close } = await openTransport(baseUrl, host.env)
  const pace = new Pace(join(cacheDirectory(host.env), 'pace.db'), `${service} ${profile ?? ''}`)
  const traced = verbose ? withTrace((attempt) => say(traceLine(attempt)))(transport) : transport
  return {
    apiKey,
    service,
    close: async () => {
      pace.close()
      await close()
    },
    caller: {
      pace,
      baseUrl,
      profile,
      transport: withApiKey(baseUrl.origin, apiKey)(withDeadline(flags.timeoutMs)(traced)),
      retries: flags.retries,
      longestWaitMs: Math.max(LONGEST_WAIT_MS, flags.timeoutMs),
      hooks: {
        now: host.now,
        signal: host.signal,
        onWait: (waitMs, attempt, why) => {
          if (verbose) say(`attempt ${attempt} failed (${why}); trying again in ${Math.round(waitMs)} ms`)
        },
      },
    },
  }
}
