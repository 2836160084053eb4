import { Failure } from '../base/failure/failure.ts'

/** The service inside this program, which the profile `sandbox` means. Nothing of it is loaded before it is used. */
export interface InnerService {
  /** What requests to its partner inbound endpoints are signed with. */
  signing(): Promise<{ readonly header: string; readonly secret: string }>
  /** IANA zone of the venue that a directory keeps, or of a new one. Fails: INTERNAL when the data are damaged. */
  timezone(data: string): Promise<string>
  /** Starts it in this process, with the venue that a directory keeps. */
  start(data: string): Promise<RunningService>
}

/** The service inside, answering on a loopback port until it is closed. */
export interface RunningService {
  readonly baseUrl: string
  readonly apiKey: string
  readonly partnerName: string
  readonly signatureHeader: string
  readonly signingSecret: string
  readonly locationId: string
  /** IANA zone of the venue. */
  readonly timezone: string
  close(): Promise<void>
}

/** The service inside. Fails: NO_PROFILE in a build that was made without it. */
export function innerService({ sandbox }: { readonly sandbox: InnerService | null }): InnerService {
  if (sandbox) return sandbox
  throw new Failure('NO_PROFILE', 'this partner was built without the sandbox', {
    hint: 'name a profile of your own: --profile NAME',
  })
}
