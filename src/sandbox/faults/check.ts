import { findNearest } from '../../base/failure/nearest.ts'
import { ENDPOINTS } from '../../contract/endpoints.ts'
import type { FaultEffect, FaultSpecification } from './fault.ts'
import { matchesEndpoint, readPattern } from './pattern.ts'

/** Lists all problems with a fault. The input has not been validated, so its values might not match their types. */
export function findFaultProblems({ endpoint, effect, next, nth, share }: FaultSpecification): string[] {
  const problems = [endpointProblem(endpoint), effectProblem(effect)]
  if (next !== undefined && !(Number.isInteger(next) && next > 0)) problems.push('next must be a whole number above 0')
  if (nth !== undefined && !(Number.isInteger(nth) && nth > 0)) problems.push('nth must be a whole number above 0')
  if (share !== undefined && !(share > 0 && share <= 100)) problems.push('share must be above 0 and at most 100')
  return problems.filter((problem) => problem !== null)
}

function endpointProblem(endpoint: string): string | null {
  const pattern = readPattern(endpoint)
  if (!pattern) return `${JSON.stringify(endpoint)} is not an endpoint such as "GET /GiftCards/{cardNumber}"`
  const endpoints = Object.values(ENDPOINTS)
  if (endpoints.some(({ method, path }) => matchesEndpoint(pattern, method, path))) return null
  const known = endpoints.map(({ method, path }) => `${method} ${path}`)
  const near = findNearest(endpoint, known)
  const help = near ? `did you mean '${near}'?` : 'paths are case-sensitive'
  return `the service has no endpoint '${endpoint}'; ${help}`
}

function effectProblem(effect: FaultEffect): string | null {
  switch (effect?.kind) {
    case 'status': {
      const isStatus = Number.isInteger(effect.status) && effect.status >= 200 && effect.status <= 599
      return isStatus ? null : `${effect.status} is not an HTTP status from 200 to 599`
    }
    case 'latency':
    case 'late-webhook':
      return amountProblem(effect.ms, 'the time in milliseconds')
    case 'skew':
      return Number.isSafeInteger(effect.ms) ? null : 'the time in milliseconds must be a whole number'
    case 'dribble':
      if (effect.bytes === 0) return 'the number of bytes must be above 0'
      return amountProblem(effect.bytes ?? 1, 'the number of bytes')
    case 'truncate':
      return amountProblem(effect.bytes, 'the number of bytes')
    case 'oversize':
      return amountProblem(effect.bytes ?? 0, 'the number of bytes')
    case 'duplicate-webhook':
      return amountProblem(effect.times ?? 2, 'the number of times')
    case 'redirect':
      if (typeof effect.url !== 'string' || effect.url === '') return 'a redirect needs a URL'
      return /^[\x21-\x7e]+$/.test(effect.url)
        ? null
        : 'the redirect URL contains characters that are not allowed in a header'
    case 'reset':
    case 'close':
    case 'malformed':
    case 'hang':
    case 'lost-webhook':
      return null
    default:
      return 'unknown kind of fault'
  }
}

function amountProblem(value: unknown, what: string): string | null {
  const isAmount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  return isAmount ? null : `${what} must be a whole number, 0 or more`
}
