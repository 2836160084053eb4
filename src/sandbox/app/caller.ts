import type { DocumentedFailure, Endpoint } from '../../contract/endpoint.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import { inboundRedeem } from '../../contract/inbound.ts'
import type { WireRequest } from '../../http/transport.ts'
import { LOWER_SIGNATURE_HEADER, PARTNER_NAME, SANDBOX_KEYS, SIGNING_SECRET } from '../credentials.ts'
import { findFailure } from '../endpoints/refusals.ts'
import { refusalReply } from './replies.ts'
import { conclude, type Routed, type Service } from './request.ts'

/** Refuses callers without the key or the signature that the endpoint asks for. Source: "Authentication". */
export function withCaller(next: Service<Routed>): Service<Routed> {
  return async (routed) => {
    const isSigned = routed.endpoint.auth === 'signature'
    const refused = isSigned ? await refuseSignature(routed) : refuseKey(routed.request, routed.endpoint)
    if (!refused) return next(routed)
    return conclude(refusalReply(refused), isSigned ? null : `the key was refused: ${refused.message}`)
  }
}

function refuseKey({ headers }: WireRequest, endpoint: Endpoint): DocumentedFailure | null {
  switch (headers['x-api-key']) {
    case SANDBOX_KEYS.good:
      return null
    case SANDBOX_KEYS.unknownApp:
      return COMMON_FAILURES.unknownApp
    case SANDBOX_KEYS.unlinkedVenue:
      return COMMON_FAILURES.venueNotLinked
    case SANDBOX_KEYS.noVenue:
      return findFailure(endpoint, 'keyWithoutVenue') ?? COMMON_FAILURES.venueNotLinked
    default:
      return COMMON_FAILURES.unauthorized
  }
}

/** The signature covers the bytes of the body and the URL as the caller sent it. Only the sandbox's own partner has a secret. */
async function refuseSignature({ request, parameters }: Routed): Promise<DocumentedFailure | null> {
  const { emptyBody, badSignature } = inboundRedeem.failures
  if (request.body === null || request.body.byteLength === 0) return emptyBody
  const given = request.headers[LOWER_SIGNATURE_HEADER]
  if (given === undefined || parameters['partnerName'] !== PARTNER_NAME) return badSignature
  const { verify } = await import('../../signing/verify.ts')
  const signed = { body: request.body, url: request.urlAsSent ?? request.url.href, secret: SIGNING_SECRET }
  return verify(given, signed).valid ? null : badSignature
}
