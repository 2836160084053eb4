import { Failure } from '../base/failure/failure.ts'

/** The built-in sandbox, which the `sandbox` profile uses. Loaded on first use. */
export interface BuiltInSandbox {
  signing(): Promise<{ readonly header: string; readonly secret: string }>
  /**
   * Returns the IANA zone of the venue stored in a directory, or of a new venue if none is stored. Throws INTERNAL if
   * the stored data is damaged.
   */
  timezone(data: string): Promise<string>
  start(data: string): Promise<RunningService>
}

/** A running sandbox that listens on a loopback port. */
export interface RunningService {
  readonly baseUrl: string
  readonly apiKey: string
  readonly partnerName: string
  readonly signatureHeader: string
  readonly signingSecret: string
  readonly locationId: string
  /** The IANA zone of the sandbox's venue. */
  readonly timezone: string
  close(): Promise<void>
}

/** Returns the sandbox. Throws NO_PROFILE if this build does not include it. */
export function requireSandbox({ sandbox }: { readonly sandbox: BuiltInSandbox | null }): BuiltInSandbox {
  if (sandbox) return sandbox
  throw new Failure('NO_PROFILE', 'this build of partner does not include the sandbox', {
    hint: 'use a profile that you added: --profile NAME',
  })
}
