import { setTimeout as delay } from 'node:timers/promises'
import {
  type Act,
  answers,
  closes,
  hangs,
  type RawRequest,
  type RawServer,
  resets,
  sends,
  startRawServer,
  truncated,
} from '../support/raw-server.ts'

/** How the answer to a request is lost. */
export const LOSSES = [
  'reset',
  'close',
  'hang',
  'truncate',
  'half',
  'garbage',
  'twice',
  'html',
  '202',
  '408',
  '500',
  '502',
  '503',
  '504',
] as const
/** Those of a redeem, whose answer says more. */
export const REDEEM_LOSSES = [...LOSSES, 'other-amount', 'contradiction'] as const
export type Loss = (typeof REDEEM_LOSSES)[number]

/** When the service does what it was asked: not at all, before the answer is lost, or some time after. */
export const PHASES = ['before', 'after', 'late'] as const
export type Phase = (typeof PHASES)[number]

/** What happens to a request in place of a plain answer. */
export type Fault =
  | { readonly kind: 'lost'; readonly loss: Loss; readonly phase: Phase }
  /** Not performed, and the answer says so. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly body: unknown
      readonly headers?: Readonly<Record<string, string>>
    }

/** What the service has done, once for each time that it did it. */
export interface Commit {
  readonly command: 'redeem' | 'cancel' | 'sale'
  /** A card number or sale ID. */
  readonly target: string
  /** Null where no money moves. */
  readonly cents: bigint | null
  /** The notes of the request, by which a test knows it again. */
  readonly notes: unknown
}

export interface Card {
  cents: bigint
  status: string
}

/** A sale as the service has it. */
export interface Sale {
  /** Null: it is linked to none, and is not listed. */
  readonly bookingId: string | null
  readonly cents: bigint | null
}

export interface CommitServer extends RawServer {
  readonly cards: Map<string, Card>
  readonly sales: Map<string, Sale>
  readonly commits: readonly Commit[]
  commitsOn(target: string): number
  /** How many writes came, done or not. */
  writesOn(target: string): number
  /** What is to happen to the coming requests of a kind about a card or sale, one each. */
  faults(kind: 'read' | 'write', target: string, faults: readonly Fault[]): void
  /** Comes back when everything that is to be done late was done. */
  settled(): Promise<void>
}

/** So long after its answer was lost, a late write is done. Milliseconds. */
const LATE_MS = 40

interface Reply {
  readonly status: number
  readonly body: unknown
}

/**
 * A service that has gift cards and takes sales, counts what it does, and loses the answers that it is told to. Gone after the
 * test. `onWrite` is told of each write as it comes.
 */
export async function startCommitServer(
  onWrite: (target: string, request: RawRequest) => void = () => {},
): Promise<CommitServer> {
  const cards = new Map<string, Card>()
  const sales = new Map<string, Sale>()
  const commits: Commit[] = []
  const queues = new Map<string, Fault[]>()
  const late: Promise<void>[] = []
  const writes: string[] = []

  const work = (request: RawRequest): { kind: 'read' | 'write'; target: string; perform: () => Reply } => {
    const path = request.target.split('?')[0] ?? ''
    const body = request.body === '' ? {} : (JSON.parse(request.body) as Record<string, unknown>)
    const number = String(body['cardNumber'] ?? path.split('/').at(-1))
    const card = cards.get(number)
    const missing: Reply = { status: 404, body: { message: `Gift card '${number}' not found.` } }
    const read = (perform: () => Reply) => ({ kind: 'read' as const, target: number, perform })
    const write = (target: string, perform: () => Reply) => ({ kind: 'write' as const, target, perform })
    if (request.method === 'GET' && path.startsWith('/GiftCards/'))
      return read(() => (card ? { status: 200, body: shown(number, card) } : missing))
    if (path.endsWith('/giftcards/balance'))
      return read(() => (card ? { status: 200, body: { ...shown(number, card), isSuccess: true } } : missing))
    if (path === '/GiftCards/redeem' || path.endsWith('/giftcards/redeem'))
      return write(number, () => (card ? redeemed(number, card, request.body) : missing))
    if (path === '/GiftCards/cancel') return write(number, () => (card ? cancelled(number, card) : missing))
    if (request.method === 'POST' && path === '/Sales') {
      const saleId = String((body['origin'] as { saleId?: unknown } | undefined)?.saleId ?? '')
      return write(saleId, () => sold(saleId, body))
    }
    if (path === '/Sales') {
      // Only those that are linked to a booking, as the specification has it.
      const items = [...sales.entries()]
        .filter(([, { bookingId }]) => bookingId !== null)
        .map(([transactionId, { bookingId, cents }]) => ({
          bookingId,
          saleDetail: { transactionId, total: cents === null ? null : units(cents) },
        }))
      return {
        kind: 'read',
        target: 'sales',
        perform: () => ({
          status: 200,
          body: request.target.includes('StartIndex=0')
            ? { from: 0, to: items.length, length: items.length, items }
            : { from: 0, to: 0, length: 0, items: [] },
        }),
      }
    }
    return read(() => ({ status: 404, body: { message: 'there is no such path' } }))
  }

  const redeemed = (number: string, card: Card, body: string): Reply => {
    const cents = centsIn(body)
    const failed = (errorMessage: string): Reply => ({
      status: 200,
      body: { cardNumber: number, amountRedeemed: 0, status: 'Error', isSuccess: false, errorMessage },
    })
    if (card.status !== 'Active') return failed(`The card is ${card.status}.`)
    if (cents > card.cents) return failed('The amount is more than the remaining balance.')
    card.cents -= cents
    if (card.cents === 0n) card.status = 'Redeemed'
    commits.push({ command: 'redeem', target: number, cents, notes: (JSON.parse(body) as { notes?: unknown }).notes })
    return {
      status: 200,
      body: {
        cardNumber: number,
        amountRedeemed: units(cents),
        status: card.status,
        isSuccess: true,
        errorMessage: null,
      },
    }
  }
  const cancelled = (number: string, card: Card): Reply => {
    if (card.status === 'Cancelled') return { status: 304, body: '' }
    if (card.status === 'Redeemed')
      return { status: 400, body: { message: `Gift card '${number}' is fully redeemed and cannot be cancelled.` } }
    card.status = 'Cancelled'
    commits.push({ command: 'cancel', target: number, cents: null, notes: null })
    return { status: 200, body: { cardNumber: number, status: 'Cancelled' } }
  }
  const sold = (saleId: string, body: Readonly<Record<string, unknown>>): Reply => {
    if (sales.has(saleId)) return { status: 409, body: { message: 'The sale was submitted before.' } }
    const { amount } = (body['total'] ?? {}) as { amount?: number }
    const bookingId = typeof body['bookingId'] === 'string' ? body['bookingId'] : null
    sales.set(saleId, { bookingId, cents: amount === undefined ? null : BigInt(amount) })
    commits.push({ command: 'sale', target: saleId, cents: null, notes: null })
    return { status: 200, body: { saleId } }
  }

  const server = await startRawServer((request) => {
    const { kind, target, perform } = work(request)
    if (kind === 'write') {
      writes.push(target)
      onWrite(target, request)
    }
    const fault = queues.get(`${kind} ${target}`)?.shift()
    if (!fault) return plainly(perform())
    if (fault.kind === 'refused') return answers(fault.status, fault.body, fault.headers)
    const reply = fault.phase === 'after' ? perform() : null
    if (fault.phase === 'late') late.push(delay(LATE_MS).then(() => void perform()))
    return losing(
      fault.loss,
      reply ?? { status: 200, body: { cardNumber: target, isSuccess: true, padding: 'x'.repeat(50) } },
    )
  })
  return {
    ...server,
    get connections() {
      return server.connections
    },
    cards,
    sales,
    commits,
    commitsOn: (target) => commits.filter((commit) => commit.target === target).length,
    writesOn: (target) => writes.filter((written) => written === target).length,
    faults: (kind, target, faults) => void queues.set(`${kind} ${target}`, [...faults]),
    settled: async () => void (await Promise.all(late)),
  }
}

function plainly({ status, body }: Reply): Act {
  return answers(status, body)
}

const HTML = '<!doctype html><title>Bad gateway</title>'

function losing(loss: Loss, reply: Reply): Act {
  const body = JSON.stringify(reply.body)
  if (loss === 'reset') return resets
  if (loss === 'close') return closes
  if (loss === 'hang') return hangs
  if (loss === 'truncate') return truncated(body, Math.floor(body.length / 2))
  if (loss === 'half') return sends(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${body.slice(0, -8)}`)
  if (loss === 'garbage') return answers(200, 'Done, or so it seems', { 'content-type': 'application/json' })
  if (loss === 'twice')
    return answers(200, '{"isSuccess":false,"isSuccess":true}', { 'content-type': 'application/json' })
  if (loss === 'other-amount') return answers(200, { isSuccess: true, amountRedeemed: 0.01, status: 'Active' })
  if (loss === 'contradiction') return answers(200, { isSuccess: true, status: 'Error' })
  if (loss === 'html') return answers(200, HTML, { 'content-type': 'text/html' })
  if (loss === '500') return answers(500, { message: 'Failed to retrieve card details. The rest was done.' })
  return answers(Number(loss), HTML, { 'content-type': 'text/html' })
}

function shown(cardNumber: string, { cents, status }: Card): Record<string, unknown> {
  return { cardNumber, amount: 1000, remainingAmount: units(cents), status }
}

function units(cents: bigint): number {
  return Number(cents) / 100
}

/** The amount of a request, from its own digits. */
function centsIn(body: string): bigint {
  const [, whole = '0', decimals = ''] = /"amount":(\d+)(?:\.(\d{1,2}))?[,}]/.exec(body) ?? []
  return BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0'))
}
