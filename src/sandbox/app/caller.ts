import type { DocumentedFailure, Endpoint } from '../../contract/endpoint.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import { inboundRedeem } from '../../contract/inbound.ts'
import type { WireRequest } from '../../http/transport.ts'
import { LOWER_SIGNATURE_HEADER, PARTNER_NAME, SANDBOX_KEYS, SIGNING_SECRET } from '../credentials.ts'
import { findFailure } from '../endpoints/refusals.ts'
import { refusalReply } from './replies.ts'
import { conclude, type Routed, type Service } from './request.ts'

/** Rejects requests without the API key or the signature that the endpoint requires. Source: "Authentication". */
export function withCaller(next: Service<Routed>): Service<Routed> {
  return async (routed) => {
    const isSigned = routed.endpoint.auth === 'signature'
    const failure = isSigned ? await findSignatureFailure(routed) : findKeyFailure(routed.request, routed.endpoint)
    if (!failure) return next(routed)
    return conclude(refusalReply(failure), isSigned ? null : `the key was rejected: ${failure.message}`)
  }
}

function findKeyFailure({ headers }: WireRequest, endpoint: Endpoint): DocumentedFailure | null {
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

/**
 * Verifies the signature over the exact body and URL that the client sent. Only the sandbox's own partner name has a
 * signing secret, so any other name fails.
 */
async function findSignatureFailure({ request, parameters }: Routed): Promise<DocumentedFailure | null> {
  const { emptyBody, badSignature } = inboundRedeem.failures
  if (request.body === null || request.body.byteLength === 0) return emptyBody
  const given = request.headers[LOWER_SIGNATURE_HEADER]
  if (given === undefined || parameters['partnerName'] !== PARTNER_NAME) return badSignature
  const { verify } = await import('../../signing/verify.ts')
  const signed = { body: request.body, url: request.urlAsSent ?? request.url.href, secret: SIGNING_SECRET }
  return verify(given, signed).valid ? null : badSignature
}
