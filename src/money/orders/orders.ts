import { createHash } from 'node:crypto'
import { parseExact } from '../../base/json/exact.ts'
import type { OperationTable } from '../operations/table.ts'
import { noSuchOrder, type PreparedOrder } from './order.ts'

const COLUMNS = [
  ...(['handle', 'command', 'args', 'flags', 'fingerprint', 'facts', 'counted', 'service', 'profile'] as const),
  ...(['preparedAt', 'expiresAt', 'approvedAt', 'declinedAt', 'refusal'] as const),
] as const satisfies readonly (keyof PreparedOrder)[]

/** The table of prepared orders. `args`, `flags` and `facts` contain JSON. `seal` covers all other values of a row. */
const SCHEMA = `
  CREATE TABLE orders (
    handle TEXT PRIMARY KEY, command TEXT NOT NULL, args TEXT NOT NULL, flags TEXT NOT NULL, fingerprint TEXT NOT NULL,
    facts TEXT NOT NULL, counted INTEGER, service TEXT NOT NULL, profile TEXT, preparedAt INTEGER NOT NULL,
    expiresAt INTEGER NOT NULL, approvedAt INTEGER, declinedAt INTEGER, refusal TEXT, seal TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`
/** How long orders are stored, in milliseconds. Keys are stored for just as long. */
const RETENTION_MS = 400 * 86_400_000

/** The prepared orders in the record of money writes. All functions throw INTERNAL if the record cannot be used. */
export class OrderTable {
  readonly #table: OperationTable

  constructor(table: OperationTable) {
    this.#table = table
  }

  transaction<T>(work: () => T): T {
    return this.#table.transaction(work)
  }

  find(handle: string): PreparedOrder | null {
    if (!hasOrders(this.#table)) return null
    return this.#table.select('SELECT * FROM orders WHERE handle = ?', unsealed, handle)[0] ?? null
  }

  /** Returns the order with this handle. Throws NOT_FOUND. */
  get(handle: string): PreparedOrder {
    const order = this.find(handle)
    if (order === null) throw noSuchOrder(handle)
    return order
  }

  /** Inserts or replaces an order. Creates the table if necessary and deletes orders older than 400 days. */
  put(order: PreparedOrder): PreparedOrder {
    return this.transaction(() => {
      if (!hasOrders(this.#table)) this.#table.execute(SCHEMA)
      const values = columnsOf(order)
      const names = [...COLUMNS, 'seal']
      this.#table.run(
        `INSERT OR REPLACE INTO orders (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        ...values,
        sealOf(values),
      )
      this.#table.run('DELETE FROM orders WHERE preparedAt < ?', order.preparedAt - RETENTION_MS)
      return order
    })
  }
}

/** Deletes the orders of a service that no longer exists, such as a reset sandbox. */
export function deleteOrders(table: OperationTable, service: string): void {
  if (hasOrders(table)) table.run('DELETE FROM orders WHERE service = ?', service)
}

function hasOrders(table: OperationTable): boolean {
  return table.select("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'orders'", Boolean).length > 0
}

type Column = string | number | null

function columnsOf(order: PreparedOrder): Column[] {
  return COLUMNS.map((name) => {
    const value = order[name]
    if (typeof value === 'bigint') return Number(value)
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  })
}

function unsealed(stored: Readonly<Record<string, unknown>>): PreparedOrder {
  const values = COLUMNS.map((name) => stored[name] as Column)
  if (stored['seal'] !== sealOf(values)) throw new Error(`the row of order ${stored['handle']} is damaged`)
  const order = stored as unknown as PreparedOrder
  const parsed = (name: 'args' | 'flags' | 'facts') => parseExact(String(stored[name])) as unknown
  return {
    ...order,
    args: parsed('args') as PreparedOrder['args'],
    flags: parsed('flags') as PreparedOrder['flags'],
    facts: parsed('facts') as PreparedOrder['facts'],
    counted: stored['counted'] === null ? null : BigInt(Number(stored['counted'])),
  }
}

function sealOf(values: readonly Column[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22)
}
