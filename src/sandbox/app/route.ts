import { findEndpoints } from '../../contract/paths.ts'
import { messageReply } from './replies.ts'
import { type Arrival, conclude, type Routed, type Service } from './request.ts'

/**
 * Finds the endpoint for each request. Responds with 404 if no endpoint has the path, and with 405 if the path does not
 * support the method.
 */
export function withRoute(next: Service<Routed>): Service<Arrival> {
  return async (arrival) => {
    const { method, url } = arrival.request
    const matches = findEndpoints(url.pathname)
    const match = matches.find(({ endpoint }) => endpoint.method === method)
    if (match) return { ...(await next({ ...arrival, ...match })), endpoint: match.id }
    if (matches.length === 0) {
      const message = `No endpoint has the path ${url.pathname}; paths are case-sensitive.`
      return conclude(messageReply(404, message), 'no endpoint has this path')
    }
    const allow = [...new Set(matches.map(({ endpoint }) => endpoint.method))].join(', ')
    const message = `The method ${method} is not allowed for this path; allowed: ${allow}.`
    return conclude(messageReply(405, message, { allow }), `this path accepts only ${allow}`)
  }
}
