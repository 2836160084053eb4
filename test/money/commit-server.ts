import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Act, answers, closes, type RawRequest, type RawServer, startRawServer } from '../support/raw-server.ts'
import { type Card, type Commit, Ledger, type Reply } from './ledger.ts'
import { type Loss, losing } from './losses.ts'

/**
 * When the service performs a write whose response is lost. `before` means never, because the request is lost too.
 * `after` means before the response is lost, and `late` means some time after that.
 */
export const PHASES = ['before', 'after', 'late'] as const
export type Phase = (typeof PHASES)[number]

/** A callback that runs while a request waits. */
export type Meanwhile = () => void | Promise<void>

/** A fault to inject into a request. */
export type Fault =
  | { readonly kind: 'lost'; readonly loss: Loss; readonly phase: Phase }
  /** The service responds with an error and does not perform the write. */
  | ({ readonly kind: 'refused'; readonly headers?: Readonly<Record<string, string>> } & Reply)
  /** The service performs the write and runs `meanwhile` before it responds. */
  | { readonly kind: 'slow'; readonly meanwhile: Meanwhile }

/**
 * How a simulated proxy between partner and the service behaves. `repeats` answers a write with an earlier response on
 * the same connection. `closes` closes a connection when a second request arrives. `continues` sends an unsolicited
 * `100 Continue` before each response.
 */
export type ProxyKind = 'none' | 'repeats' | 'closes' | 'continues'

/** A replica of the service that returns outdated data about a card. */
export interface Lag {
  /** The number of changes to the card that the replica has not received yet. */
  readonly changes: number
  /** The number of read requests that the replica serves. */
  readonly readings: number
  /** When the replica has caught up, in milliseconds since 1970. */
  readonly until: number
}

/** The clock of the simulated service. It defaults to this machine's clock. */
export interface ServiceTime {
  /** Returns the current time, in milliseconds since 1970. */
  now(): number
  /** Schedules `work`, a write that the service performs some time after the response is lost. */
  late(work: () => void): void
  /** Called for a request that never receives a response. */
  onHang(): void
  /** Called if a callback throws while a request is waiting. The request never receives a response. */
  onTrouble(error: unknown): void
}

type Kind = 'read' | 'write'

export interface CommitServer extends RawServer {
  readonly ledger: Ledger
  readonly cards: Map<string, Card>
  readonly commits: readonly Commit[]
  /** The simulated proxy. `performs` says whether the service also performs a write that a `repeats` proxy answers. */
  proxy: { kind: ProxyKind; performs: boolean }
  commitsOn(target: string): number
  /**
   * Returns the number of writes to a card or sale that arrived, whether or not the service performed them. With
   * `notes`, counts only writes with these notes.
   */
  writesOn(target: string, notes?: unknown): number
  /**
   * Sets the faults for the next reads or writes of a card or sale, in order. `null` means no fault. For requests that
   * list sales, the target is `sales`.
   */
  setFaults(kind: Kind, target: string, faults: readonly (Fault | null)[]): void
  /**
   * Sets the callbacks for the next reads or writes of a card or sale, in order. Each one runs after its request has
   * arrived and before the service handles it.
   */
  setCallbacks(kind: Kind, target: string, works: readonly (Meanwhile | null)[]): void
  /** Lets an outdated replica serve the next reads of a card. `null` removes the replica. */
  lag(target: string, lag: Lag | null): void
  /** Returns the number of writes to a card or sale that did not get a usable response. */
  lostOn(target: string): number
  /** Returns true if no proxy is simulated and no fault, callback or lag is pending for a card or sale. */
  hasNoFaults(target: string): boolean
  /** Returns whether a request may go unanswered because it mentions a card or sale with a pending `hang` fault. */
  mayNeverRespond(request: string): boolean
  /** Returns the number of unfinished writes to a card or sale. With `notes`, counts only writes with these notes. */
  underWayOn(target: string, notes?: unknown): number
  /** Waits until all late writes have been performed. */
  settled(): Promise<void>
}

/** The delay before the service performs a late write, in milliseconds, counted from the arrival of the request. */
const LATE_MS = 40

interface Job {
  readonly kind: Kind
  readonly target: string
  readonly notes: unknown
  readonly perform: () => Reply
}

/**
 * Starts a service for gift cards and sales that can lose responses, and records what it performs. It stops when the
 * test ends. `onWrite` is called when a write arrives.
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
    if (path.endsWith('/giftcards/balance')) return read(number, () => withSuccess(shown(number)))
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
    if (!fault) return respond(perform())
    if (fault.kind === 'refused') return answers(fault.status, fault.body, fault.headers)
    if (fault.kind === 'slow') {
      const act = respond(perform())
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

  /** The previous response on each connection. */
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
    hasNoFaults: (target) =>
      proxy.kind === 'none' &&
      !lags.has(target) &&
      [`read ${target}`, `write ${target}`, 'read sales'].every(
        (about) => (faults.get(about) ?? []).length + (works.get(about) ?? []).length === 0,
      ),
    setFaults: (kind, target, coming) => void faults.set(`${kind} ${target}`, [...coming]),
    setCallbacks: (kind, target, coming) => void works.set(`${kind} ${target}`, [...coming]),
    lag: (target, lag) => void (lag ? lags.set(target, lag) : lags.delete(target)),
    mayNeverRespond: (request) =>
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

const respond = ({ status, body }: Reply): Act => answers(status, body)

/** Adds `isSuccess`, a member that only responses from the signed endpoint have. */
function withSuccess({ status, body }: Reply): Reply {
  return { status, body: { ...(body as object), ...(status === 200 ? { isSuccess: true } : {}) } }
}
