import { join } from 'node:path'
import { test as plainTest } from 'vitest'
import { type Environment, freshHome, type Run, runPartner } from '../support/partner.ts'
import { words } from '../support/words.ts'
import { type CommitServer, startCommitServer } from './commit-server.ts'
import { aged, rewriteRows } from './rows.ts'
import type { MoneyCommand } from './till.ts'

export const CARD = 'CASHR-00000001-CARD'
export const SALE = 'S-1001'
/** A secret that no output may contain. */
export const SIGNING_SECRET = 'cashier-signing-secret-5d1e'

/** A shop with its own service. It runs partner as separate processes. */
export interface Shop {
  readonly server: CommitServer
  readonly env: Environment
  readonly operationsFile: string
  run(...args: readonly string[]): Promise<Run>
  /** Makes all recorded writes look `ms` milliseconds older. */
  age(ms: number): void
  operations(): Promise<readonly Listed[]>
  /** Resolves the newest operation. */
  resolve(...flags: readonly string[]): Promise<Run>
}

export interface Listed {
  readonly id: string
  readonly command: string
  readonly target: string
  readonly amount: string | null
  readonly state: string
}

/** Opens a shop with one card, which has a balance of 100.00. */
export async function openShop(onWrite?: Parameters<typeof startCommitServer>[0]): Promise<Shop> {
  const server = await startCommitServer(onWrite)
  server.cards.set(CARD, { cents: 10_000n, status: 'Active' })
  const home = freshHome()
  const env: Environment = {
    ...home,
    ...server.env,
    PARTNER_SIGNING_SECRET: SIGNING_SECRET,
    PARTNER_NAME: 'pos',
    PARTNER_SIGNATURE_HEADER: 'X-Partner-Signature',
    PARTNER_LOCATION_ID: 'loc-1',
  }
  const operationsFile = join(home.PARTNER_DATA_DIR, 'operations.db')
  const run = (...args: readonly string[]) => runPartner(args, { env })
  const operations = async () => JSON.parse((await run('operations', 'list', '--json')).stdout) as Listed[]
  return {
    server,
    env,
    operationsFile,
    run,
    age: (ms) => rewriteRows(operationsFile, (row) => aged(row, ms)),
    operations,
    resolve: async (...flags) => run('operations', 'resolve', (await operations())[0]?.id ?? '', ...flags),
  }
}

/** A `test` with a fresh `shop` as its fixture. */
export const test = plainTest.extend<{ shop: Shop }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures this one needs
  shop: async ({}, use) => use(await openShop()),
})

/** The command line for each money write, as a cashier's script would run it. */
export const COMMAND_LINES: Readonly<Record<MoneyCommand, readonly string[]>> = {
  'giftcards redeem': ['giftcards', 'redeem', CARD, '--amount', '25.00', '--json'],
  'giftcards cancel': ['giftcards', 'cancel', CARD, '--yes', '--json'],
  'inbound redeem': ['inbound', 'redeem', CARD, '--amount', '25.00', '--json'],
  'sales create': words(
    `sales create --table-number 5 --sale-id ${SALE} --staff-id anna --seats 2 --total-cents 2500 --currency AUD --json`,
  ),
}

export function targetOf(command: MoneyCommand): string {
  return command === 'sales create' ? SALE : CARD
}
