import { Failure } from '../base/failure/failure.ts'

/** The service inside this program, for the profile `sandbox`. Loaded on first use. */
export interface InnerService {
  signing(): Promise<{ readonly header: string; readonly secret: string }>
  /** IANA zone of the venue in a directory, or of a new one. Fails: INTERNAL if its data are damaged. */
  timezone(data: string): Promise<string>
  start(data: string): Promise<RunningService>
}

/** The running sandbox on a loopback port. */
export interface RunningService {
  readonly baseUrl: string
  readonly apiKey: string
  readonly partnerName: string
  readonly signatureHeader: string
  readonly signingSecret: string
  readonly locationId: string
  /** IANA zone. */
  readonly timezone: string
  close(): Promise<void>
}

/** Fails: NO_PROFILE in a build without the sandbox. */
export function innerService({ sandbox }: { readonly sandbox: InnerService | null }): InnerService {
  if (sandbox) return sandbox
  throw new Failure('NO_PROFILE', 'this partner was built without the sandbox', {
    hint: 'name a profile of your own: --profile NAME',
  })
}
