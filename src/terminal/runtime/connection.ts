import { join } from 'node:path'
import { usageFailure } from '../../base/failure/failure.ts'
import { dataDirectory } from '../../base/storage/directories.ts'
import { isKnownZone } from '../../base/time/zone.ts'
import { formatService } from '../../client/format-service.ts'
import type { HarFile } from '../../client/har-file.ts'
import type { Sourced } from '../../client/profiles/profile.ts'
import type { Need } from '../../client/profiles/settings.ts'
import type { Session } from '../../client/session.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type CommonFlags, DEFAULT_RETRIES, DEFAULT_TIMEOUT_MS, parseEffort } from '../input/command-line.ts'
import { type Host, surroundingsOf } from './host.ts'
import type { Progress } from './progress.ts'

const INBOUND_NEEDS: readonly Need[] = ['baseUrl', 'signingSecret', 'partnerName', 'signatureHeader']

type Fetched = keyof typeof DEFAULT_TIMEOUT_MS

type ConnectionParts = Readonly<{ host: Host; flags: CommonFlags; argv: readonly string[]; progress: Progress }>

/** Chooses the profile, and opens the session when a command first needs one. */
export class Connection {
  readonly #parts: ConnectionParts
  #session: Promise<Session> | undefined
  #profile: string | undefined
  #usual: Sourced<string> | undefined
  #recorder: HarFile | undefined
  /** The time zone for displayed times if no session is open, or `null` for UTC. */
  zone: string | null = null

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#profile = parts.flags.profile
  }

  /** Selects a profile, as `--profile` does. Must be called before the session is opened. */
  useProfile(name: string): void {
    this.#profile = name
  }

  /**
   * Selects a profile unless the user names one. Messages name `from` as the source of this choice. Must be called
   * before the session is opened.
   */
  preferProfile(name: string, from: string): void {
    this.#usual = { value: name, from }
  }

  /**
   * Records the traffic, even if the command uses `--har` for something else. Must be called before the session is
   * opened.
   */
  recordWith(recorder: HarFile): void {
    this.#recorder = recorder
  }

  /**
   * Returns the session, opening it on the first call. Throws NO_PROFILE if the profile is unknown or incomplete, or
   * USAGE if a setting is invalid.
   */
  session(fetched: Fetched = 'answer'): Promise<Session> {
    this.#session ??= this.#open(fetched)
    return this.#session
  }

  /**
   * Returns the session for the partner inbound endpoints, whose requests contain a signature instead of a key. Throws
   * the same errors as {@link session}.
   */
  signedSession(needs: readonly Need[] = INBOUND_NEEDS): Promise<Session> {
    this.#session ??= this.#open('answer', needs)
    return this.#session
  }

  /** Returns the session that an endpoint needs. Throws the same errors as {@link session}. */
  sessionFor({ auth }: Endpoint, fetched: Fetched = 'answer'): Promise<Session> {
    return auth === 'signature' ? this.signedSession() : this.session(fetched)
  }

  /** Returns the session, or `null` if no session was opened or it could not be opened. */
  async opened(): Promise<Session | null> {
    return (await this.#session?.catch(() => null)) ?? null
  }

  get isUsed(): boolean {
    return this.#session !== undefined
  }

  /** Returns the venue's time zone, or `null` if none is set. Throws USAGE for an unknown zone. */
  async timezone(fetched: Fetched = 'answer'): Promise<string | null> {
    return knownZone((await this.session(fetched)).timezone)
  }

  /** Returns the time zone of a profile's venue, or `null` if it is unknown. Does not open a session. */
  async zoneOf(profile: string | null): Promise<string | null> {
    const { env, sandbox } = this.#parts.host
    const { SANDBOX_PROFILE } = await import('../../client/profiles/profile.ts')
    const kept = async () => {
      if (profile === null) return null
      if (profile === SANDBOX_PROFILE) return sandbox?.timezone(join(dataDirectory(env), 'sandbox'))
      const { profilesPath, readProfiles } = await import('../../client/profiles/read.ts')
      return readProfiles(profilesPath(env)).byName.get(profile)?.timezone
    }
    const zone = env['PARTNER_TIMEZONE'] || (await kept())
    return zone && isKnownZone(zone) ? zone : null
  }

  /** Describes the service that receives the requests. Returns `null` if no session is open. */
  async destination(): Promise<string | null> {
    return this.#session ? formatService(await this.#session) : null
  }

  async close(): Promise<void> {
    await (await this.opened())?.close()
  }

  async #open(fetched: Fetched, signedWith?: readonly Need[]): Promise<Session> {
    const { flags, argv, host, progress } = this.#parts
    const { timeoutMs, retries } = parseEffort(flags, argv)
    const { openSession } = await import('../../client/session.ts')
    return openSession(surroundingsOf(host, flags.verbose === true), {
      profile: this.#profile,
      usual: this.#usual,
      baseUrl: flags['base-url'],
      ledger: flags.ledger,
      timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS[fetched],
      retries: retries ?? DEFAULT_RETRIES,
      har: this.#recorder ?? host.venue?.recorder ?? (typeof flags.har === 'string' ? flags.har : undefined),
      record: flags.record,
      signedWith,
      onRequest: () => {
        host.venue?.beginRequest()
        progress.hasSentRequest = true
      },
      onWrite: progress.beginWrite,
    })
  }
}

/** Returns the given time zone. Throws USAGE if it is unknown. */
export function knownZone(timezone: string | null): string | null {
  if (timezone !== null && !isKnownZone(timezone))
    throw usageFailure(
      [`${JSON.stringify(timezone)} is not a time zone`],
      'set PARTNER_TIMEZONE, or the timezone of the profile, to a zone such as Australia/Sydney',
    )
  return timezone
}
