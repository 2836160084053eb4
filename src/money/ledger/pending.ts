import type { OperationTable } from '../operations/table.ts'

/**
 * The operations whose outcome might be missing from a ledger and must be recorded by a later run. They are stored in
 * the same transactions as the operations themselves. Each takeover of an operation increases its `epoch`, so that an
 * earlier owner can no longer send it.
 */
const SCHEMA = `CREATE TABLE IF NOT EXISTS ledger_pending (
  operation TEXT NOT NULL, ledger TEXT NOT NULL, epoch INTEGER NOT NULL, PRIMARY KEY (ledger, operation)
) STRICT`

export class PendingTable {
  readonly #table: OperationTable
  readonly #ledger: string

  constructor(table: OperationTable, ledger: string) {
    this.#table = table
    this.#ledger = ledger
  }

  /** Adds an operation or updates its epoch if it is already pending. */
  add(operation: string, epoch = 1): void {
    this.#run('INSERT OR REPLACE INTO ledger_pending VALUES (?, ?, ?)', operation, this.#ledger, epoch)
  }

  remove(operation: string): void {
    this.#run('DELETE FROM ledger_pending WHERE ledger = ? AND operation = ?', this.#ledger, operation)
  }

  epochOf(operation: string): number {
    const find = 'SELECT epoch FROM ledger_pending WHERE ledger = ? AND operation = ?'
    return this.#select(find, (row) => Number(row['epoch']), this.#ledger, operation)[0] ?? 1
  }

  has(operation: string): boolean {
    return this.all().includes(operation)
  }

  all(): string[] {
    return this.#select(
      'SELECT operation FROM ledger_pending WHERE ledger = ?',
      (row) => String(row['operation']),
      this.#ledger,
    )
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#table.transaction(() => {
      this.#table.execute(SCHEMA)
      this.#table.run(sql, ...values)
    })
  }

  #select<T>(sql: string, convert: (row: Readonly<Record<string, unknown>>) => T, ...values: string[]): T[] {
    const hasTable = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'ledger_pending'"
    if (this.#table.select(hasTable, Boolean).length === 0) return []
    return this.#table.select(sql, convert, ...values)
  }
}
