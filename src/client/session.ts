import { join } from 'node:path'
import { traceLine } from '../cli/output/trace-line.ts'
import type { Host } from '../cli/runtime/host.ts'
import { withApiKey, withSignature } from '../http/client/auth.ts'
import { withDeadline } from '../http/client/deadline.ts'
import { withTrace } from '../http/client/trace.ts'
import { openTransport } from '../http/client/undici.ts'
import type { Layer } from '../http/transport.ts'
import type { EnvironmentName, Mode, Sourced } from '../profiles/profile.ts'
import { profilesPath, readProfiles } from '../profiles/read.ts'
import { resolveSettings, resolveTarget } from '../profiles/resolve.ts'
import { readSecret } from '../profiles/secret-reading.ts'
import { describeIgnored, type Need, requireSetting, type Settings } from '../profiles/settings.ts'
import { terminalSafe } from '../render/text/safe-text.ts'
import { cacheDirectory, dataDirectory } from '../storage/directories.ts'
import type { Caller } from './calls/caller.ts'
import { describeLimit, Pace } from './calls/pace.ts'
import { innerService } from './inner-service.ts'

/** What the flags of a command say about how to reach the service. */
export interface SessionFlags {
  readonly profile?: string | undefined
  /** The profile for when neither `profile` nor a variable names one, in place of the current one, and who says so. */
  readonly usual?: Sourced<string> | undefined
  readonly baseUrl?: string | undefined
  readonly timeoutMs: number
  readonly retries: number
  readonly verbose: boolean
  /** The file that is to hold the traffic. */
  readonly har?: string | undefined
  /** What requests that are signed cannot do without; undefined: they carry the key. */
  readonly signedWith?: readonly Need[] | undefined
  /** Told right before a request that may change something leaves. */
  readonly onWrite: () => void
}

/** What requests to partner inbound endpoints are made with; null where it was not asked for and nobody gives it. */
export interface Signing {
  readonly partnerName: string | null
  readonly locationId: string | null
  /** The name of the header that carries the signature. */
  readonly header: string
  readonly secret: () => Promise<string>
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
  /** Null: the requests of this session carry the key. */
  readonly signing: Signing | null
  close(): Promise<void>
}

/** One wait between two attempts may take this long, or as long as an attempt may where that is longer. Milliseconds. */
const LONGEST_WAIT_MS = 60_000

/**
 * Finds out which service is meant and opens a way to it; for the profile `sandbox`, starts it in this process first.
 * Nothing is sent yet. Fails: NO_PROFILE, USAGE.
 */
export async function openSession(host: Host, flags: SessionFlags): Promise<Session> {
  const where = {
    flags: { profile: flags.profile, baseUrl: flags.baseUrl },
    env: host.env,
    profiles: () => readProfiles(profilesPath(host.env)),
    usual: flags.usual,
  }
  const settings = flags.signedWith
    ? resolveSettings({ ...where, needs: flags.signedWith })
    : resolveTarget({ ...where, needs: ['baseUrl', 'apiKey'] })
  const say = (line: string) => void host.stderr.write(`${terminalSafe(line)}\n`)
  for (const warning of settings.warnings) say(`warning: ${warning}`)
  const remark = isVerbose(host, flags) ? describeIgnored(settings) : null
  if (remark !== null) say(remark)
  if (settings.kind === 'sandbox') return openSandboxSession(host, flags, settings)
  for (const need of flags.signedWith ?? []) requireSetting(settings, need)
  const { value: baseUrl } = requireSetting(settings, 'baseUrl')
  const warn = (line: string) => say(`warning: ${line}`)
  return openCaller(host, flags, settings, {
    baseUrl,
    service: baseUrl.href.replace(/\/+$/, ''),
    timezone: settings.timezone?.value ?? null,
    environment: settings.environment,
    apiKey: () => readSecret(requireSetting(settings, 'apiKey').value, host.env, 'API key', { warn }),
    signing: flags.signedWith
      ? {
          partnerName: settings.partnerName?.value ?? null,
          locationId: settings.locationId?.value ?? null,
          header: requireSetting(settings, 'signatureHeader').value,
          secret: () =>
            readSecret(requireSetting(settings, 'signingSecret').value, host.env, 'signing secret', { warn }),
        }
      : null,
  })
}

/** The service inside this process; what is given otherwise, such as another key, is tried on it. */
async function openSandboxSession(host: Host, flags: SessionFlags, settings: Settings): Promise<Session> {
  const sandbox = await innerService(host).start(join(dataDirectory(host.env), 'sandbox'))
  const { apiKey, signingSecret } = settings
  const opening = openCaller(host, flags, settings, {
    baseUrl: new URL(sandbox.baseUrl),
    service: 'sandbox',
    timezone: settings.timezone?.value ?? sandbox.timezone,
    environment: null,
    apiKey: async () => (apiKey ? readSecret(apiKey.value, host.env, 'API key') : sandbox.apiKey),
    signing: flags.signedWith
      ? {
          partnerName: settings.partnerName?.value ?? sandbox.partnerName,
          locationId: settings.locationId?.value ?? sandbox.locationId,
          header: settings.signatureHeader?.value ?? sandbox.signatureHeader,
          secret: async () =>
            signingSecret ? readSecret(signingSecret.value, host.env, 'signing secret') : sandbox.signingSecret,
        }
      : null,
  })
  try {
    const opened = await opening
    return {
      ...opened,
      close: async () => {
        await opened.close()
        await sandbox.close()
      },
    }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** What differs between the service inside this process and one elsewhere. */
type Whom = Pick<Session, 'service' | 'timezone' | 'environment' | 'apiKey' | 'signing'> & { readonly baseUrl: URL }

async function openCaller(host: Host, flags: SessionFlags, settings: Settings, whom: Whom): Promise<Session> {
  const { baseUrl, service } = whom
  const verbose = isVerbose(host, flags)
  const say = (line: string) => void host.stderr.write(`${terminalSafe(line)}\n`)
  const profile = settings.profile?.value ?? null
  const hide = (secret: string) => host.stderr.hide(secret)
  const apiKey = readOnce(whom.apiKey, hide)
  const signing = whom.signing && { ...whom.signing, secret: readOnce(whom.signing.secret, hide) }
  const har =
    flags.har === undefined
      ? null
      : (await import('../cli/output/har-file.ts')).openHarFile(flags.har, host.version, () => host.stderr.hidden)
  const { transport, close } = await openTransport(baseUrl, host.env)
  const pace = new Pace(join(cacheDirectory(host.env), 'pace.db'), `${service} ${profile ?? ''}`)
  let hasToldOfPace = false
  const layers: Layer[] = [
    signing ? withSignature(signing.header, signing.secret) : withApiKey(baseUrl.origin, apiKey),
    withDeadline(flags.timeoutMs),
  ]
  if (verbose) layers.push(withTrace((attempt) => say(traceLine(attempt))))
  if (har) {
    const { withHar } = await import('../http/client/har.ts')
    layers.push(withHar({ now: host.now, add: har.add, secretHeaders: signing ? [signing.header.toLowerCase()] : [] }))
  }
  return {
    ...whom,
    apiKey,
    signing,
    mode: settings.mode,
    close: async () => {
      pace.close()
      await close()
      const trouble = har?.close() ?? null
      if (trouble !== null) say(`warning: ${trouble}`)
    },
    caller: {
      pace,
      baseUrl,
      profile,
      transport: layers.reduceRight((next, layer) => layer(next), transport),
      retries: flags.retries,
      attemptMs: flags.timeoutMs,
      longestWaitMs: Math.max(LONGEST_WAIT_MS, flags.timeoutMs),
      hooks: {
        now: host.now,
        signal: host.signal,
        onWrite: flags.onWrite,
        onWait: (waitMs, attempt, why) => {
          if (verbose) say(`attempt ${attempt} failed (${why}); trying again in ${Math.round(waitMs)} ms`)
        },
        onPace: (limit, endpoint) => {
          // Once is enough, and a shorter wait is over before the line is read.
          if (hasToldOfPace || limit.waitMs < 1000) return
          hasToldOfPace = true
          const what = describeLimit(limit, endpoint, host.now())
          say(
            `waiting ${Math.ceil(limit.waitMs / 1000)} s: ${what} (to try at once, stop this and remove ${pace.path})`,
          )
        },
      },
    },
  }
}

function isVerbose(host: Host, flags: SessionFlags): boolean {
  return flags.verbose || host.env['PARTNER_DEBUG'] === '1'
}

/** Reads a secret at its first use, and notes it among those that must not be written anywhere. */
function readOnce(read: () => Promise<string>, note: (secret: string) => void): () => Promise<string> {
  let secret: Promise<string> | undefined
  return () => {
    secret ??= read().then((value) => {
      note(value)
      return value
    })
    return secret
  }
}
