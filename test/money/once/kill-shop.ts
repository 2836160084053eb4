import { existsSync } from 'node:fs'
import { expect } from 'vitest'
import type { Moment } from '../../../src/money/operations/moment.ts'
import type { SandboxControl } from '../../../src/sandbox/control/control.ts'
import type { JournalEntry } from '../../../src/sandbox/journal/journal.ts'
import { runningSandbox } from '../../sandbox/fresh-sandbox.ts'
import { type Environment, runPartner } from '../../support/partner.ts'
import type { TestServer } from '../../support/postgres.ts'
import { openHost, type TestHost } from '../hosts.ts'
import { aged, rewriteRows } from '../rows.ts'
import { COMMANDS, type MoneyCommand } from '../till.ts'
import { type LedgerLine, startLedgerLine } from './ledger-line.ts'
import { type ServiceLine, serviceVariables, startServiceLine } from './service-line.ts'

/** The maximum age of a sale in these tests. The service detects duplicates for ten minutes, which is longer. */
const OLDEST_SALE_MS = 5 * 60_000

/** The endpoint that each command's write has in the sandbox's journal. */
const ENDPOINTS: Readonly<Record<MoneyCommand, string>> = {
  'giftcards redeem': 'giftcards.redeem',
  'giftcards cancel': 'giftcards.cancel',
  'inbound redeem': 'inbound.redeem',
  'sales create': 'sales.create',
}

/** An order that many runs repeat with the same key. */
export interface Order {
  readonly command: MoneyCommand
  readonly target: string
  /** The sale's booking. The service lists only sales that have one. */
  readonly bookingId?: string | undefined
}

/** Returns the order with this number. Half of the sales have a booking. */
export function orderOf(command: MoneyCommand, number: number): Order {
  if (command !== 'sales create') return { command, target: `KILLS-${String(number).padStart(8, '0')}-CARD` }
  return { command, target: `KILLS-${number}`, bookingId: number % 2 === 0 ? 'BK-1003' : undefined }
}

/** Two hosts, a sandbox and a ledger. All runs connect to the sandbox and the ledger through proxies. */
export interface KillShop {
  readonly service: ServiceLine
  readonly ledger: LedgerLine
  readonly hosts: readonly [TestHost, TestHost]
  /** Returns the environment variables of a run with this name. */
  variables(run: string): Readonly<Record<string, string>>
  /** Makes all writes on both hosts and in the ledger look `ms` milliseconds older. */
  age(ms: number): Promise<void>
  /** Returns how many times the sandbox has performed the order, according to its journal. */
  timesDone(order: Order): Promise<number>
  /** Expects the sandbox to have performed the order once, according to its journal and its data. */
  expectDone(order: Order): Promise<void>
}

/** Opens a shop with a card for each order that needs one. Each card has a balance of 100.00. */
export async function openKillShop(postgres: TestServer, orders: readonly Order[]): Promise<KillShop> {
  const { sandbox, control } = await runningSandbox()
  const env = { PARTNER_BASE_URL: sandbox.baseUrl, PARTNER_API_KEY: sandbox.apiKey }
  await addCards(
    control,
    orders.filter(({ command }) => !isSale(command)).map(({ target }) => target),
  )
  const service = await startServiceLine(sandbox)
  const url = await postgres.database()
  const ledger = await startLedgerLine(postgres.port)
  const ledgerUrl = new URL(postgres.url(new URL(url).pathname.slice(1), 'postgres', ledger.port))
  const variables = (run: string) => {
    ledgerUrl.searchParams.set('application_name', run)
    return { ...serviceVariables(service, sandbox, run), PARTNER_LEDGER: ledgerUrl.href }
  }
  const hosts = [openHost({}), openHost({})] as const
  for (const host of hosts) await host.with(variables('run-0')).operations()

  let cursor = 0
  const journal: JournalEntry[] = []
  const timesDone = async (order: Order) => {
    const page = await control.readJournal(cursor)
    cursor = page.cursor
    journal.push(...page.entries)
    return journal.filter((entry) => isDone(entry, order)).length
  }
  return {
    ...{ service, ledger, hosts, variables, timesDone },
    age: async (ms) => {
      for (const { operationsFile } of hosts) ageRecord(operationsFile, ms)
      await postgres.query(url, ageLedgerSql(ms))
    },
    expectDone: async (order) => {
      expect(await timesDone(order), 'the number of successful writes in the journal').toBe(1)
      await (order.command === 'sales create' ? expectSale(env, order) : expectCard(env, order))
    },
  }
}

/** Adds gift cards to the sandbox's venue by loading a changed snapshot of it. */
export async function addCards(control: SandboxControl, cards: readonly string[]): Promise<void> {
  const lines = (await control.saveSnapshot()).trimEnd().split('\n')
  const issuedDate = new Date(Date.now() - 86_400_000).toISOString()
  const expiryDate = new Date(Date.now() + 1000 * 86_400_000).toISOString()
  const added = cards.map((card) => JSON.stringify({ card, amountCents: 10_000, issuedDate, expiryDate }))
  const text = [...lines.slice(0, -1), ...added, lines.at(-1), ''].join('\n')
  await control.loadSnapshot({ name: 'cards', text })
}

function isDone({ endpoint, status, request, response }: JournalEntry, { command, target }: Order): boolean {
  if (endpoint !== ENDPOINTS[command] || status !== 200 || !request.body?.includes(`"${target}"`)) return false
  const answer = JSON.parse(response.body ?? '{}') as { readonly isSuccess?: boolean }
  return answer.isSuccess !== false
}

async function expectCard(env: Environment, { command, target }: Order): Promise<void> {
  const got = await runPartner(['giftcards', 'get', target, '--json'], { env })
  expect(got.code, got.stderr).toBe(0)
  const [status, remainingAmount] = command === 'giftcards cancel' ? ['Cancelled', 100] : ['Active', 75]
  expect(JSON.parse(got.stdout)).toMatchObject({ status, remainingAmount })
}

async function expectSale(env: Environment, { target, bookingId }: Order): Promise<void> {
  const sales = await runPartner('sales list --from -2d --to +2d --json', { env })
  expect(sales.code, sales.stderr).toBe(0)
  const listed = sales.stdout.split(`"transactionId":"${target}"`).length - 1
  expect(listed, 'how many sales the service lists').toBe(bookingId === undefined ? 0 : 1)
}

const isSale = (command: string) => command === COMMANDS[2]

function ageRecord(file: string, ms: number): void {
  if (!existsSync(file)) return
  const recent = (moment: Moment | null): Moment | null => {
    const earliest = Date.now() - OLDEST_SALE_MS
    const shift = Math.max(0, earliest - (moment?.wallMs ?? earliest))
    return moment && { ...moment, wallMs: moment.wallMs + shift, monotonicMs: moment.monotonicMs + shift }
  }
  rewriteRows(file, (row) => {
    const { firstSent, ...rest } = aged(row, ms)
    return { ...rest, firstSent: isSale(row.command) ? recent(firstSent) : firstSent }
  })
}

function ageLedgerSql(ms: number): string {
  const earlier = (names: readonly string[]) => names.map((name) => `${name} = ${name} - ${ms}`).join(', ')
  return `UPDATE partner_ledger.operations SET ${earlier(['claimed_ms', 'first_sent_ms', 'sent_ms', 'over_ms', 'ended_ms'])};
    UPDATE partner_ledger.keys SET ${earlier(['started_ms', 'ended_ms'])};
    UPDATE partner_ledger.operations SET first_sent_ms = greatest(first_sent_ms,
      (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${OLDEST_SALE_MS}) WHERE command = 'sales create'`
}
