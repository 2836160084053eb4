import type { Endpoint } from '../../contract/endpoint.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import { inboundRedeem } from '../../contract/inbound.ts'
import type { WireReply, WireRequest } from '../../http/transport.ts'
import { PARTNER_NAME, SANDBOX_KEYS, SIGNATURE_HEADER, SIGNING_SECRET } from '../credentials.ts'
import { failureNamed } from '../endpoints/handler.ts'
import { refusalReply } from './replies.ts'

/** The answer to a caller who has not shown who they are; null when all is well. Source: "Authentication". */
export async function refuseCaller(
  request: WireRequest,
  endpoint: Endpoint,
  parameters: Readonly<Record<string, string>>,
): Promise<WireReply | null> {
  if (endpoint.auth === 'signature') return refuseSignature(request, parameters)
  const key = request.headers['x-api-key']
  if (key === SANDBOX_KEYS.good) return null
  if (key === SANDBOX_KEYS.unknownApp) return refusalReply(COMMON_FAILURES.unknownApp)
  if (key === SANDBOX_KEYS.unlinkedVenue) return refusalReply(COMMON_FAILURES.venueNotLinked)
  if (key === SANDBOX_KEYS.noVenue)
    return refusalReply(failureNamed(endpoint, 'keyWithoutVenue') ?? COMMON_FAILURES.venueNotLinked)
  return refusalReply(COMMON_FAILURES.unauthorized)
}

const SIGNATURE_HEADER_LOWER = SIGNATURE_HEADER.toLowerCase()

/** The signature is over the bytes of the body and the URL as the caller asked for it. A partner that is none has no secret. */
async function refuseSignature(
  request: WireRequest,
  parameters: Readonly<Record<string, string>>,
): Promise<WireReply | null> {
  const { emptyBody, badSignature } = inboundRedeem.failures
  if (request.body === null || request.body.byteLength === 0) return refusalReply(emptyBody)
  const given = request.headers[SIGNATURE_HEADER_LOWER]
  if (given === undefined || parameters['partnerName'] !== PARTNER_NAME) return refusalReply(badSignature)
  const { verify } = await import('../../signing/verify.ts')
  const signed = { body: request.body, url: request.url.href, secret: SIGNING_SECRET }
  return verify(given, signed).valid ? null : refusalReply(badSignature)
}
