import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Act, answers, closes, type RawRequest, type RawServer, startRawServer } from '../support/raw-server.ts'
import { type Card, type Commit, Ledger, type Reply } from './ledger.ts'
import { type Loss, losing } from './losses.ts'

/** When the service does what it was asked: not at all, before the answer is lost, or some time after. */
export const PHASES = ['before', 'after', 'late'] as const
export type Phase = (typeof PHASES)[number]

/** What else happens while a request waits. */
export type Meanwhile = () => void | Promise<void>

/** What happens to a request in place of a plain answer. */
export type Fault =
  | { readonly kind: 'lost'; readonly loss: Loss; readonly phase: Phase }
  /** Not performed, and the answer says so. */
  | ({ readonly kind: 'refused'; readonly headers?: Readonly<Record<string, string>> } & Reply)
  /** Performed, and what happens then comes before the answer does. */
  | { readonly kind: 'slow'; readonly meanwhile: Meanwhile }

/**
 * What stands between the service and the tool. `repeats`: a write that comes over the connection of a reading gets the answer of
 * that one again. `closes`: a connection that carried an answer is closed when the next request comes. `continues`: it says
 * `100 Continue`, unasked, before each answer.
 */
export type ProxyKind = 'none' | 'repeats' | 'closes' | 'continues'

/** A replica that lags behind. */
export interface Lag {
  /** How many changes of the card it has not seen yet. */
  readonly changes: number
  /** How many readings it serves. */
  readonly readings: number
  /** When it has caught up, epoch milliseconds. */
  readonly until: number
}

/** The time of the service; that of this machine unless given. */
export interface ServiceTime {
  /** Epoch milliseconds. */
  now(): number
  /** Does something while the service is still at work on what it was asked. */
  late(work: () => void): void
  /** An attempt is never answered. */
  onHang(): void
  /** Something that was to happen while a request waits has failed: it is never answered. */
  onTrouble(error: unknown): void
}

type Kind = 'read' | 'write'

export interface CommitServer extends RawServer {
  readonly ledger: Ledger
  readonly cards: Map<string, Card>
  readonly commits: readonly Commit[]
  /** `repeats` is performed by the service all the same, or not at all. */
  proxy: { kind: ProxyKind; performs: boolean }
  commitsOn(target: string): number
  /** How many writes came, done or not; with notes, those that carry them. */
  writesOn(target: string, notes?: unknown): number
  /** What is to happen to the coming requests of a kind about a card or sale, one each; null: a plain answer. Readings of sales are about `sales`. */
  faults(kind: Kind, target: string, faults: readonly (Fault | null)[]): void
  /** What is to happen between the coming of such a request and the service's looking at it, likewise. */
  meanwhile(kind: Kind, target: string, works: readonly (Meanwhile | null)[]): void
  /** Has a replica serve the next readings of a card; null: it has caught up. */
  lag(target: string, lag: Lag | null): void
  /** How many of them had no answer that counts. */
  lostOn(target: string): number
  /** Whether the coming requests about a card or sale are answered plainly. */
  isWell(target: string): boolean
  /** Whether the answer to a request that names a card or sale, or to one beside it, will never come. */
  mayHang(request: string): boolean
  /** How many writes on a target the service is still at work on; with notes, those that carry them. */
  underWayOn(target: string, notes?: unknown): number
  /** Comes back when everything that is to be done late was done. */
  settled(): Promise<void>
}

/** So long after its answer was lost, a late write is done. Milliseconds. */
const LATE_MS = 40

interface Job {
  readonly kind: Kind
  readonly target: string
  readonly notes: unknown
  readonly perform: () => Reply
}

/**
 * A service that has gift cards and takes sales, counts what it does, and loses the answers that it is told to. Gone after the
 * test. `onWrite` is told of each write as it comes.
 */
export async function startCommitServer(
  onWrite: (target: string, request: RawRequest) => void = () => {},
  time?: ServiceTime,
): Promise<CommitServer> {
  const ledger = new Ledger(time?.now ?? Date.now)
  const faults = new Map<string, (Fault | null)[]>()
  const works = new Map<string, (Meanwhile | null)[]>()
  const lags = new Map<string, Lag>()
  const late: Promise<void>[] = []
  const writes: Job[] = []
  const lost: string[] = []
  const underWay: Job[] = []
  const proxy: CommitServer['proxy'] = { kind: 'none', performs: true }

  const shown = (number: string): Reply => {
    const lag = lags.get(number)
    if (!lag || lag.readings === 0 || lag.until <= (time?.now() ?? Date.now())) return ledger.show(number)
    lags.set(number, { ...lag, readings: lag.readings - 1 })
    return ledger.show(number, lag.changes)
  }

  const jobOf = (request: RawRequest): Job => {
    const { pathname: path, searchParams: query } = new URL(request.target, 'http://service')
    const body = request.body === '' ? {} : (JSON.parse(request.body) as Record<string, unknown>)
    const number = String(body['cardNumber'] ?? path.split('/').at(-1))
    const read = (target: string, perform: () => Reply): Job => ({ kind: 'read', target, notes: null, perform })
    const notes = body['notes'] ?? null
    const write = (target: string, perform: () => Reply): Job => ({ kind: 'write', target, notes, perform })
    if (request.method === 'GET' && path.startsWith('/GiftCards/')) return read(number, () => shown(number))
    if (path.endsWith('/giftcards/balance')) return read(number, () => succeeding(shown(number)))
    if (path === '/GiftCards/redeem' || path.endsWith('/giftcards/redeem'))
      return write(number, () => ledger.redeem(number, request.body))
    if (path === '/GiftCards/cancel') return write(number, () => ledger.cancel(number))
    if (request.method === 'POST' && path === '/Sales') {
      const saleId = String((body['origin'] as { saleId?: unknown } | undefined)?.saleId ?? '')
      return write(saleId, () => ledger.sell(saleId, body))
    }
    const at = (name: string) => Date.parse(query.get(name) ?? '')
    if (path === '/Sales')
      return read('sales', () => ledger.list(at('StartDate'), at('EndDate'), Number(query.get('StartIndex'))))
    return read('', () => ({ status: 404, body: { message: 'there is no such path' } }))
  }

  const begun = (job: Job): (() => void) => {
    underWay.push(job)
    return () => void underWay.splice(underWay.indexOf(job), 1)
  }

  const performLate = (job: Job) => {
    const over = begun(job)
    const perform = () => {
      over()
      job.perform()
    }
    if (time) time.late(perform)
    else late.push(delay(LATE_MS).then(perform))
  }

  const actFor = (job: Job): Act => {
    const { kind, target, perform } = job
    const fault = faults.get(`${kind} ${target}`)?.shift()
    if (!fault) return plainly(perform())
    if (fault.kind === 'refused') return answers(fault.status, fault.body, fault.headers)
    if (fault.kind === 'slow') {
      const act = plainly(perform())
      return async (socket, request) => {
        await fault.meanwhile()
        act(socket, request)
      }
    }
    if (kind === 'write') lost.push(target)
    const reply = fault.phase === 'after' ? perform() : null
    if (fault.phase === 'late') performLate(job)
    const act = losing(
      fault.loss,
      reply ?? { status: 200, body: { cardNumber: target, isSuccess: true, padding: 'x'.repeat(50) } },
    )
    if (fault.loss !== 'hang' || !time) return act
    return () => time.onHang()
  }

  /** What each connection was answered last. */
  const carried = new WeakMap<Socket, Act>()
  const server = await startRawServer((request) => {
    const job = jobOf(request)
    const { kind, target } = job
    if (kind === 'write') {
      writes.push(job)
      onWrite(target, request)
    }
    const serve = async (socket: Socket) => {
      const earlier = carried.get(socket)
      if (earlier && proxy.kind === 'closes') return closes(socket, request)
      const isAnsweredBefore = earlier !== undefined && proxy.kind === 'repeats' && kind === 'write'
      const work = works.get(`${kind} ${target}`)?.shift()
      const over = begun(job)
      if (work) await work()
      over()
      if (isAnsweredBefore) {
        if (proxy.performs) job.perform()
        return earlier(socket, request)
      }
      const act = actFor(job)
      carried.set(socket, act)
      if (proxy.kind === 'continues') socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      await act(socket, request)
    }
    return (socket) => {
      serve(socket).catch((error: unknown) => {
        if (!time) throw error
        time.onTrouble(error)
      })
    }
  })
  return {
    ...server,
    get connections() {
      return server.connections
    },
    ledger,
    cards: ledger.cards,
    commits: ledger.commits,
    proxy,
    commitsOn: (target) => ledger.commits.filter((commit) => commit.target === target).length,
    writesOn: (target, notes) => writes.filter((job) => isAbout(job, target, notes)).length,
    lostOn: (target) => lost.filter((one) => one === target).length,
    isWell: (target) =>
      proxy.kind === 'none' &&
      !lags.has(target) &&
      [`read ${target}`, `write ${target}`, 'read sales'].every(
        (about) => (faults.get(about) ?? []).length + (works.get(about) ?? []).length === 0,
      ),
    faults: (kind, target, coming) => void faults.set(`${kind} ${target}`, [...coming]),
    meanwhile: (kind, target, coming) => void works.set(`${kind} ${target}`, [...coming]),
    lag: (target, lag) => void (lag ? lags.set(target, lag) : lags.delete(target)),
    mayHang: (request) =>
      [...faults].some(
        ([about, coming]) =>
          request.toLowerCase().includes(about.slice(about.indexOf(' ') + 1).toLowerCase()) &&
          coming.some((fault) => fault?.kind === 'lost' && fault.loss === 'hang'),
      ),
    underWayOn: (target, notes) => underWay.filter((job) => job.kind === 'write' && isAbout(job, target, notes)).length,
    settled: async () => void (await Promise.all(late)),
  }
}

const isAbout = (job: Job, target: string, notes: unknown) =>
  job.target === target && (notes === undefined || job.notes === notes)

const plainly = ({ status, body }: Reply): Act => answers(status, body)

/** The signed endpoint says in its body that there was something to read. */
function succeeding({ status, body }: Reply): Reply {
  return { status, body: { ...(body as object), ...(status === 200 ? { isSuccess: true } : {}) } }
}
