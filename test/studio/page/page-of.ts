import type { Sandbox } from '../../../src/studio/start.ts'
import { runningSandbox, type Send } from '../../sandbox/fresh-sandbox.ts'

type Fields = Readonly<Record<string, string>>

/** Creates a client that sends the same requests as the forms and links on a sandbox's page. */
export function createPageClient(sandbox: Sandbox) {
  const url = new URL(sandbox.pageUrl ?? 'none:')
  const address = (path: string, query: Fields) => {
    const there = new URL(url.pathname + path, url)
    there.search = String(new URLSearchParams({ token: url.searchParams.get('token') ?? '', ...query }))
    return there
  }
  const replied = async (asked: Promise<Response>) => {
    const response = await asked
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    address,
    get: async (query: Fields = {}, path = '') => replied(fetch(address(path, query))),
    post: async (form: string, fields: Fields, query: Fields = {}) =>
      replied(
        fetch(address(`/do/${form}`, query), {
          method: 'POST',
          body: new URLSearchParams(fields),
          headers: { origin: url.origin },
          redirect: 'manual',
        }),
      ),
  }
}

/** A guest's name that contains markup, ends an HTML attribute and changes the text direction. */
export const HOSTILE = {
  firstName: '<script>alert(1)</script>',
  lastName: '"\'><img src=x onerror=alert(2)> \u202egnp.exe',
}

export async function bookHostile(send: Send, time: string) {
  const { body } = await send('POST', '/Bookings', {
    numOfPeople: 3,
    time,
    notes: '</span><script>alert(3)</script>',
    bookingId: 'ext-<b>1</b>',
    customer: { ...HOSTILE, phone: '+61 400 000 001' },
  })
  return String(body.bookingId)
}

export function requestUnknownService(send: Send, serviceId: string) {
  const customer = { firstName: 'Ada', lastName: 'King', phone: '+61 400 000 002' }
  const place = { serviceId, sectionId: 'sec-main', time: '2026-12-19 19:00' }
  return send('POST', '/Reservations', { numOfPeople: 2, ...place, customer })
}

/** Starts a sandbox that serves a page. Its clock is frozen at 19:40 on a Friday in Sydney. */
export async function fridayEvening(options: Parameters<typeof runningSandbox>[0] = {}) {
  const clock = { startAt: Date.parse('2026-12-18T08:40:00Z'), frozen: true }
  const running = await runningSandbox({ page: true, clock, ...options })
  return { ...running, url: running.sandbox.pageUrl ?? '', ...createPageClient(running.sandbox) }
}
