import type { FailedService } from '../base/failure/failure.ts'
import { SANDBOX_PROFILE } from './profiles/profile.ts'
import type { Session } from './session.ts'

/**
 * Returns the host and profile of a session's service. The port of the sandbox is arbitrary, so its host is `sandbox`.
 */
export function serviceOf({ service, caller }: Pick<Session, 'service' | 'caller'>): FailedService {
  const host = service === SANDBOX_PROFILE ? SANDBOX_PROFILE : caller.baseUrl.host
  return { host, profile: caller.profile }
}

/** Formats the service of a session: `production: profile till, service.example`, `service.example` or `sandbox`. */
export function formatService(session: Pick<Session, 'service' | 'caller' | 'environment'>): string {
  const { host, profile } = serviceOf(session)
  const place = profile === null || profile === host ? host : `profile ${profile}, ${host}`
  return session.environment === 'production' ? `production: ${place}` : place
}
