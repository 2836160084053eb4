import type { Sandbox } from '../../../src/studio/start.ts'
import type { Send } from '../../sandbox/fresh-sandbox.ts'

/** What a page answers. */
interface PageReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Speaks to the page of a sandbox as its own forms and links do. */
export function pageOf(sandbox: Sandbox) {
  const url = new URL(sandbox.pageUrl ?? 'none:')
  const address = (path: string, query: Readonly<Record<string, string>>) => {
    const there = new URL(url.pathname + path, url)
    there.search = String(new URLSearchParams({ token: url.searchParams.get('token') ?? '', ...query }))
    return there
  }
  const replied = async (response: Response): Promise<PageReply> => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  })
  return {
    address,
    get: async (query: Readonly<Record<string, string>> = {}, path = '') => replied(await fetch(address(path, query))),
    post: async (
      form: string,
      fields: Readonly<Record<string, string>>,
      query: Readonly<Record<string, string>> = {},
    ) =>
      replied(
        await fetch(address(`/do/${form}`, query), {
          method: 'POST',
          body: new URLSearchParams(fields),
          headers: { origin: url.origin },
          redirect: 'manual',
        }),
      ),
  }
}

/** A name that is markup, ends a quotation, and turns the direction of the text. */
export const HOSTILE = {
  firstName: '<script>alert(1)</script>',
  lastName: '"\'><img src=x onerror=alert(2)> \u202egnp.exe',
}

/** Makes a booking with hostile texts, and returns its ID. */
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

/** 19:40 of a Friday in Sydney. */
export const FRIDAY_EVENING = Date.parse('2026-12-18T08:40:00Z')
