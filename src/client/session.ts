import { join } from 'node:path'
import { cacheDirectory, dataDirectory } from '../base/storage/directories.ts'
import type { Dialect } from '../contract/answers/dialect.ts'
import { withApiKey, withSignature } from '../http/client/auth.ts'
import { withDeadline } from '../http/client/deadline.ts'
import { withTrace } from '../http/client/trace.ts'
import { openTransport } from '../http/client/undici.ts'
import type { Layer } from '../http/transport.ts'
import { type RunningService, requireSandbox } from './built-in-sandbox.ts'
import type { Caller, CallHooks } from './calls/caller.ts'
import { Pace } from './calls/pace.ts'
import type { HarFile } from './har-file.ts'
import { hideSecretsOf } from './hidden-secrets.ts'
import type { EnvironmentName, Mode, Sourced } from './profiles/profile.ts'
import { profilesPath, readProfiles } from './profiles/read.ts'
import { resolveSettings, resolveTarget } from './profiles/resolve.ts'
import { readSecret } from './profiles/secret-reading.ts'
import type { SecretName } from './profiles/secrets.ts'
import { describeIgnored, type Need, requireSetting, type Settings } from './profiles/settings.ts'
import type { Surroundings } from './surroundings.ts'

export interface SessionRequest {
  readonly profile?: string | undefined
  /**
   * The profile to use instead of the current profile, unless `profile` or an environment variable names a different
   * one.
   */
  readonly usual?: Sourced<string> | undefined
  readonly baseUrl?: string | undefined
  readonly ledger?: string | undefined
  /** The time limit for one attempt, in milliseconds. */
  readonly timeoutMs: number
  readonly retries: number
  readonly har?: string | HarFile | undefined
  readonly record?: boolean | undefined
  /** The settings that signed requests need. `undefined` if requests use the API key instead of a signature. */
  readonly signedWith?: readonly Need[] | undefined
  readonly onRequest?: () => void
  readonly onWrite?: () => void
}

/**
 * The settings for signed requests to partner inbound endpoints. `partnerName` and `locationId` may be `null` if the
 * request does not require them.
 */
export interface Signing {
  readonly partnerName: string | null
  readonly locationId: string | null
  readonly header: string
  readonly secret: () => Promise<string>
}

export interface Session {
  readonly caller: Caller
  /** The base URL, or `sandbox`. */
  readonly service: string
  /** What the profile allows commands to do. `null` means the default for `environment`. */
  readonly mode: Mode | null
  readonly environment: EnvironmentName | null
  /** How the service is known to differ from the contract, or `null` if no differences are known. */
  readonly shape: Dialect | null
  /** The IANA zone of the venue, or `null` if unknown. */
  readonly timezone: string | null
  /** The PostgreSQL URL of the ledger, or `null` if money writes are recorded only on this machine. */
  readonly ledger: string | null
  readonly apiKey: () => Promise<string>
  /** The signature settings. `null` if requests use the API key instead of a signature. */
  readonly signing: Signing | null
  close(): Promise<void>
}

/** The longest wait between two attempts, in milliseconds, or the time limit for an attempt if that is longer. */
const LONGEST_WAIT_MS = 60_000

/**
 * Opens a session without sending anything. Starts the sandbox if the profile is `sandbox`. Throws NO_PROFILE or USAGE.
 */
export async function openSession(around: Surroundings, request: SessionRequest): Promise<Session> {
  const { env, notify } = around
  const where = {
    flags: { profile: request.profile, baseUrl: request.baseUrl, ledger: request.ledger },
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
    const session = await openCaller(around, request, settings, resolveAccess(around, request, settings, inside))
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
  return requireSandbox(around)
    .start(join(dataDirectory(around.env), 'sandbox'))
    .finally(over)
}

/**
 * Determines the address, keys and other settings of the service. `inside` is the sandbox in this process, or `null` if
 * none is running. Throws NO_PROFILE or USAGE.
 */
function resolveAccess(
  { env, notify, signal }: Surroundings,
  { signedWith }: SessionRequest,
  settings: Settings,
  inside: RunningService | null,
): Access {
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
    ledger: settings.ledger?.value ?? null,
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

type Access = Pick<Session, 'service' | 'timezone' | 'environment' | 'ledger' | 'apiKey' | 'signing'> & {
  readonly baseUrl: URL
}

async function openCaller(around: Surroundings, request: SessionRequest, settings: Settings, access: Access) {
  const { baseUrl, service } = access
  const { env, now, notify } = around
  const profile = settings.profile?.value ?? null
  const apiKey = readOnce(access.apiKey, around.hide)
  const signing = access.signing && { ...access.signing, secret: readOnce(access.signing.secret, around.hide) }
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
  const translator = settings.shape && (await import('./shapes/dialect-translator.ts')).createTranslator(settings.shape)
  const telling: Layer = (next) => (sent) => {
    request.onRequest?.()
    return next(sent)
  }
  const hiding = await hideSecretsOf(settings, around)
  return {
    ...access,
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
      hooks: createHooks(around, request, pace),
      ...(translator && { translator }),
    },
  }
}

function createHooks(
  { now, signal, notify, waitsFor, traceRequest }: Surroundings,
  { onWrite }: SessionRequest,
  { path }: Pace,
): CallHooks {
  let hasReportedPace = false
  return {
    now,
    signal,
    ...(onWrite ? { onWrite } : {}),
    ...(waitsFor ? { waitsFor } : {}),
    ...(traceRequest ? { traceRequest } : {}),
    onWait: (waitMs, attempt, why) => notify({ kind: 'retry', waitMs, attempt, why }),
    onPace: (limit, endpoint) => {
      // Do not report waits of less than a second.
      if (hasReportedPace || limit.waitMs < 1000) return
      hasReportedPace = true
      notify({ kind: 'pace', limit, endpoint, path })
    },
  }
}

/** Returns a function that reads a secret on its first call and passes it to `note`, so that it is never printed. */
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
