import { join } from 'node:path'
import { cacheDirectory, dataDirectory } from '../base/storage/directories.ts'
import type { Dialect } from '../contract/answers/dialect.ts'
import { withApiKey, withSignature } from '../http/client/auth.ts'
import { withDeadline } from '../http/client/deadline.ts'
import { withTrace } from '../http/client/trace.ts'
import { openTransport } from '../http/client/undici.ts'
import type { Layer } from '../http/transport.ts'
import type { Caller, CallHooks } from './calls/caller.ts'
import { Pace } from './calls/pace.ts'
import type { HarFile } from './har-file.ts'
import { hideSecretsOf } from './hidden-secrets.ts'
import { innerService, type RunningService } from './inner-service.ts'
import type { EnvironmentName, Mode, Sourced } from './profiles/profile.ts'
import { profilesPath, readProfiles } from './profiles/read.ts'
import { resolveSettings, resolveTarget } from './profiles/resolve.ts'
import { readSecret } from './profiles/secret-reading.ts'
import type { SecretName } from './profiles/secrets.ts'
import { describeIgnored, type Need, requireSetting, type Settings } from './profiles/settings.ts'
import type { Surroundings } from './surroundings.ts'

/** Which service a session is for, and how it is used. */
export interface SessionRequest {
  readonly profile?: string | undefined
  /** The profile for when neither `profile` nor a variable names one, in place of the current one, and who says so. */
  readonly usual?: Sourced<string> | undefined
  readonly baseUrl?: string | undefined
  /** The limit of one whole attempt. Milliseconds. */
  readonly timeoutMs: number
  readonly retries: number
  /** The file that is to hold the traffic, or what takes it in place of one. */
  readonly har?: string | HarFile | undefined
  /** Whether what the answers look like is noted, for `drift`. */
  readonly record?: boolean | undefined
  /** What requests that are signed cannot do without; undefined: they carry the key. */
  readonly signedWith?: readonly Need[] | undefined
  /** Told right before any request leaves, its key at hand. */
  readonly onRequest?: () => void
  /** Told right before a request that may change something leaves. */
  readonly onWrite?: () => void
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
  /** In what the service differs from the contract and is followed; null: in nothing. */
  readonly shape: Dialect | null
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
export async function openSession(around: Surroundings, request: SessionRequest): Promise<Session> {
  const { env, notify } = around
  const where = {
    flags: { profile: request.profile, baseUrl: request.baseUrl },
    env,
    profiles: () => readProfiles(profilesPath(env)),
    usual: request.usual,
  }
  const settings = request.signedWith
    ? resolveSettings({ ...where, needs: request.signedWith })
    : resolveTarget({ ...where, needs: ['baseUrl', 'apiKey'] })
  for (const text of settings.warnings) notify({ kind: 'warning', text })
  const remark = describeIgnored(settings)
  if (remark !== null) notify({ kind: 'remark', text: remark })
  for (const need of settings.kind === 'service' ? (request.signedWith ?? []) : []) requireSetting(settings, need)
  const inside = settings.kind === 'sandbox' ? await startSandbox(around) : null
  try {
    const session = await openCaller(around, request, settings, whomOf(around, request, settings, inside))
    if (inside === null) return session
    return {
      ...session,
      close: async () => {
        await session.close()
        await inside.close()
      },
    }
  } catch (error) {
    await inside?.close()
    throw error
  }
}

function startSandbox(around: Surroundings): Promise<RunningService> {
  const over = around.waitsFor?.('starting the sandbox')
  return innerService(around)
    .start(join(dataDirectory(around.env), 'sandbox'))
    .finally(over)
}

/** What settings say; what they lack is of the service `inside` this process, if it is meant. Fails: NO_PROFILE, USAGE. */
function whomOf(
  { env, notify, signal }: Surroundings,
  { signedWith }: SessionRequest,
  settings: Settings,
  inside: RunningService | null,
): Whom {
  const baseUrl = inside ? new URL(inside.baseUrl) : requireSetting(settings, 'baseUrl').value
  const warn = (text: string) => notify({ kind: 'warning', text })
  const secret = async (need: 'apiKey' | 'signingSecret', what: SecretName) => {
    if (inside && settings[need] === null) return inside[need]
    return readSecret(requireSetting(settings, need).value, env, what, { ...(inside ? {} : { warn }), signal })
  }
  return {
    baseUrl,
    service: inside ? 'sandbox' : baseUrl.href.replace(/\/+$/, ''),
    timezone: settings.timezone?.value ?? inside?.timezone ?? null,
    environment: inside ? null : settings.environment,
    apiKey: () => secret('apiKey', 'API key'),
    signing: signedWith
      ? {
          partnerName: settings.partnerName?.value ?? inside?.partnerName ?? null,
          locationId: settings.locationId?.value ?? inside?.locationId ?? null,
          header:
            settings.signatureHeader?.value ??
            inside?.signatureHeader ??
            requireSetting(settings, 'signatureHeader').value,
          secret: () => secret('signingSecret', 'signing secret'),
        }
      : null,
  }
}

/** What differs between the service inside this process and one elsewhere. */
type Whom = Pick<Session, 'service' | 'timezone' | 'environment' | 'apiKey' | 'signing'> & { readonly baseUrl: URL }

async function openCaller(
  around: Surroundings,
  request: SessionRequest,
  settings: Settings,
  whom: Whom,
): Promise<Session> {
  const { baseUrl, service } = whom
  const { env, now, notify } = around
  const profile = settings.profile?.value ?? null
  const apiKey = readOnce(whom.apiKey, around.hide)
  const signing = whom.signing && { ...whom.signing, secret: readOnce(whom.signing.secret, around.hide) }
  const har =
    typeof request.har === 'string'
      ? (await import('./har-file.ts')).openHarFile(request.har, around.version, around.hidden)
      : (request.har ?? null)
  const { transport, close } = await openTransport(baseUrl, env)
  const pace = new Pace(join(cacheDirectory(env), 'pace.db'), `${service} ${profile ?? ''}`)
  const layers: Layer[] = [
    signing ? withSignature(signing.header, signing.secret) : withApiKey(baseUrl.origin, apiKey),
    withDeadline(request.timeoutMs),
    withTrace((attempt) => notify({ kind: 'attempt', attempt })),
  ]
  if (har) {
    const { withHar } = await import('../http/har.ts')
    layers.push(withHar({ now, add: har.add, secretHeaders: signing ? [signing.header.toLowerCase()] : [] }))
  }
  const recorder = request.record
    ? await (await import('./shapes/recorder.ts')).openRecorder({ env, now, baseUrl, service, profile })
    : null
  if (recorder) layers.push(recorder.layer)
  const following = settings.shape && (await import('./shapes/follow.ts')).follow(settings.shape)
  const telling: Layer = (next) => (sent) => {
    request.onRequest?.()
    return next(sent)
  }
  const hiding = await hideSecretsOf(settings, around)
  return {
    ...whom,
    apiKey,
    signing,
    mode: settings.mode,
    shape: settings.shape,
    close: async () => {
      pace.close()
      await close()
      for (const trouble of [har?.close(), await recorder?.close()])
        if (trouble) notify({ kind: 'warning', text: trouble })
    },
    caller: {
      pace,
      baseUrl,
      profile,
      transport: [...layers, telling, hiding].reduceRight((next, layer) => layer(next), transport),
      retries: request.retries,
      attemptMs: request.timeoutMs,
      longestWaitMs: Math.max(LONGEST_WAIT_MS, request.timeoutMs),
      hooks: hooksFor(around, request, pace),
      ...(following && { following }),
    },
  }
}

function hooksFor(
  { now, signal, notify, waitsFor }: Surroundings,
  { onWrite }: SessionRequest,
  { path }: Pace,
): CallHooks {
  let hasToldOfPace = false
  return {
    now,
    signal,
    ...(onWrite ? { onWrite } : {}),
    ...(waitsFor ? { waitsFor } : {}),
    onWait: (waitMs, attempt, why) => notify({ kind: 'retry', waitMs, attempt, why }),
    onPace: (limit, endpoint) => {
      // Once is enough, and a shorter wait is over before the line is read.
      if (hasToldOfPace || limit.waitMs < 1000) return
      hasToldOfPace = true
      notify({ kind: 'pace', limit, endpoint, path })
    },
  }
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
