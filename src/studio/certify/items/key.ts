import { listWrittenForms } from '../../../base/redaction/redaction.ts'
import { jsonReply } from '../../../http/server/reply.ts'
import { serve } from '../../../http/server/serve.ts'
import type { WireRequest } from '../../../http/transport.ts'
import { conclude } from '../../../sandbox/app/request.ts'
import { PARTNER_NAME, SIGNING_SECRET } from '../../../sandbox/credentials.ts'
import { startReceiver } from '../bench/receiver.ts'
import type { Item } from '../certify.ts'

/**
 * Responds to requests with a redirect to another origin. Status 307 preserves the method and the body. The integration
 * must not send the API key to that origin.
 */
export const noRedirectWithKey: Item = {
  id: 'no-redirect-with-key',
  name: 'Does not send its key to a redirect target',
  mend: "Do not follow redirects (with fetch, set redirect: 'manual'); the service never sends any. A client that follows a redirect sends the X-API-KEY header to whatever address the redirect names.",
  check: async (bench) => {
    const arrived: string[] = []
    const elsewhere = await serve(async (request) => {
      if (containsKey(request, bench.facts.apiKey)) arrived.push(`${request.method} ${request.url.pathname}`)
      return jsonReply(200, request.method === 'GET' ? { count: 0, bookings: [] } : {})
    })
    const redirect = (method: string, path: string) =>
      bench.wire.intercept(method, path, ({ request }) => {
        const location = `${elsewhere.origin}${path}${request.url.search}`
        return conclude(jsonReply(307, undefined, { location }), 'redirected to another origin')
      })
    try {
      redirect('GET', '/Bookings')
      await bench.step({ do: 'poll' })
      redirect('POST', '/GiftCards/redeem')
      await bench.step({ do: 'redeem', cardNumber: bench.venue.issueCard(500_000), amount: 10 })
      redirect('POST', '/Sales')
      await bench.step({ do: 'sale', sale: bench.venue.makeSale(4_000_000) })
    } finally {
      bench.wire.stopIntercepting()
      await elsewhere.close()
    }
    if (bench.wire.seen.length === 0) bench.finding('the integration sent no requests')
    for (const call of new Set(arrived)) bench.finding(`${call} sent the API key to another origin`)
  },
}

/** Runs every step once and checks that no URL contains a secret. URLs end up in server and proxy logs. */
export const keyNotInUrls: Item = {
  id: 'key-not-in-urls',
  name: 'Keeps its key out of URLs',
  mend: 'Send the key only in the X-API-KEY header. URLs end up in logs, both in the service and at every proxy in between.',
  check: async (bench) => {
    const { venue } = bench
    await bench.step({ do: 'poll' })
    await bench.step({ do: 'redeem', cardNumber: venue.issueCard(500_000), amount: 10 })
    await bench.step({ do: 'sale', sale: venue.makeSale(4_000_000) })
    const path = `/Sales/partners/${PARTNER_NAME}/events/certify.note`
    await bench.step({ do: 'inbound', path, query: 'page=1', body: '{"note":"no key belongs here"}' })
    const receiver = await startReceiver(bench, 'step')
    if (receiver !== null) {
      await venue.book(2)
      await receiver.deliver()
      await bench.waitUntilQuiet()
      await receiver.stop()
    }
    const secrets = [bench.facts.apiKey, SIGNING_SECRET, ...(receiver ? Object.values(receiver.credentials) : [])]
    const forms = secrets.flatMap((secret) => [...listWrittenForms(secret)])
    const shown = bench.wire.seen.filter(({ request }) => forms.some((form) => readUrl(request).includes(form)))
    for (const call of new Set(shown.map(({ request }) => `${request.method} ${request.url.pathname}`)))
      bench.finding(`the URL of ${bench.evidence.redact(call)} contains a secret`)
    if (bench.wire.seen.length === 0) bench.finding('the integration sent no requests')
  },
}

function readUrl({ urlAsSent, url }: WireRequest): string {
  return urlAsSent ?? url.href
}

function containsKey(request: WireRequest, key: string): boolean {
  const { headers, body } = request
  const places = [readUrl(request), ...Object.values(headers), Buffer.from(body ?? []).toString()]
  return places.some((place) => [...listWrittenForms(key)].some((form) => place.includes(form)))
}
