import { createHash } from 'node:crypto'
import { addressSpellings } from '../../client/same-service.ts'
import type { OperationTable } from '../operations/table.ts'

/** A stored key, with its order and the state of the order. */
export interface KeyRow {
  readonly service: string
  readonly key: string
  readonly fingerprint: string
  readonly command: string
  readonly target: string
  /** The amount in currency units; `null` if the order has none. */
  readonly amount: string | null
  readonly profile: string | null
  /** The ID of the order's last operation. */
  readonly operation: string
  /** When the order's last operation was claimed, in epoch milliseconds. */
  readonly startedAt: number
  /** What the command printed, as `formatReceipt` formats it; `null` until it is known. */
  readonly receipt: string | null
  /**
   * `open` if the outcome might be unknown. `done` if the order must never be sent again. `free` if the order
   * definitely did not take effect and can be sent.
   */
  readonly state: 'open' | 'done' | 'free'
  /** How the outcome was determined; `null` if the service responded. */
  readonly how: string | null
  /** When the outcome became known, in epoch milliseconds; `null` while the state is `open`. */
  readonly endedAt: number | null
}

const ORDER_COLUMNS = ['service', 'key', 'fingerprint', 'command', 'target', 'amount', 'profile'] as const

/** The columns that the seal of a row covers. */
const SEALED = [...ORDER_COLUMNS, 'operation', 'startedAt', 'receipt'] as const

/**
 * The table of keys. Triggers update it when operations change, because an older release might change operations
 * without knowing about keys. Triggers cannot compute seals, so a seal does not cover the columns that they change.
 */
const SCHEMA = `
  CREATE TABLE once (
    service TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, command TEXT NOT NULL, target TEXT NOT NULL,
    amount TEXT, profile TEXT, operation TEXT NOT NULL, startedAt INTEGER NOT NULL, receipt TEXT,
    state TEXT NOT NULL CHECK (state IN ('open', 'done', 'free')), how TEXT, endedAt INTEGER, seal TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX once_key ON once (service, key);
  CREATE INDEX once_open ON once (operation) WHERE state = 'open';
  CREATE TRIGGER once_ended AFTER UPDATE OF state ON operations WHEN new.state <> 'open' BEGIN
    UPDATE once SET state = iif(new.state = 'not-applied', 'free', 'done'), how = new.how,
      endedAt = json_extract(new.ended, '$.wallMs') WHERE operation = new.id AND state = 'open';
  END;
  CREATE TRIGGER once_dropped AFTER DELETE ON operations WHEN old.state = 'open' BEGIN
    UPDATE once SET state = 'free', endedAt = old.startedAt WHERE operation = old.id AND state = 'open';
  END;
`
/** How long keys are stored, in milliseconds. Past writes are stored for just as long. */
const RETENTION_MS = 400 * 86_400_000

/** The keys of `--once` in the record of money writes. All functions throw INTERNAL if the record cannot be used. */
export class KeyTable {
  readonly #table: OperationTable

  constructor(table: OperationTable) {
    this.#table = table
  }

  transaction<T>(work: () => T): T {
    return this.#table.transaction(work)
  }

  find(service: string, key: string): KeyRow | null {
    const spellings = addressSpellings(service)
    return this.#rows(`key = ? AND service IN (${spellings.map(() => '?')})`, key, ...spellings)[0] ?? null
  }

  /** Returns the rows of a key at all services. */
  findEverywhere(key: string): KeyRow[] {
    return this.#rows('key = ? ORDER BY startedAt DESC', key)
  }

  findOperation(operation: string): KeyRow | null {
    return this.#rows('operation = ?', operation)[0] ?? null
  }

  /**
   * Returns the rows of keys that have this prefix and whose last operation was claimed in this period. Excludes rows
   * in the state `free`.
   */
  findStarted(service: string, prefix: string, [fromMs, toMs]: readonly [number, number]): KeyRow[] {
    const spellings = addressSpellings(service)
    return this.#rows(
      `service IN (${spellings.map(() => '?')}) AND substr(key, 1, length(?)) = ? AND state <> 'free'
        AND startedAt BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`,
      ...[...spellings, prefix, prefix, String(fromMs), String(toMs)],
    )
  }

  /** Maps operation IDs to keys. Operations without a key are not included. */
  byOperation(): ReadonlyMap<string, string> {
    return new Map(this.#rows('true').map(({ operation, key }) => [operation, key]))
  }

  /** Inserts or replaces the row for a key. Creates the table if necessary and deletes rows older than 400 days. */
  put(row: KeyRow): void {
    this.transaction(() => {
      if (!this.#exists()) this.#table.execute(SCHEMA)
      const sealed = SEALED.map((name) => row[name])
      const values = [...sealed, row.state, row.how, row.endedAt, sealOf(sealed)]
      this.#table.run(
        `INSERT INTO once (${SEALED.join(', ')}, state, how, endedAt, seal) VALUES (${'?, '.repeat(SEALED.length)}?, ?, ?, ?)
         ON CONFLICT (service, key) DO UPDATE SET ${[...SEALED, 'state', 'how', 'endedAt', 'seal'].map((name) => `${name} = excluded.${name}`).join(', ')}`,
        ...values,
      )
      this.#table.run("DELETE FROM once WHERE state <> 'open' AND endedAt < ?", row.startedAt - RETENTION_MS)
    })
  }

  #exists(): boolean {
    return hasKeys(this.#table)
  }

  #rows(where: string, ...values: string[]): KeyRow[] {
    if (!this.#exists()) return []
    return this.#table.select(`SELECT * FROM once WHERE ${where}`, unsealed, ...values)
  }
}

/** Deletes the keys of a service that no longer exists, such as a reset sandbox. */
export function deleteKeys(table: OperationTable, service: string): void {
  if (hasKeys(table)) table.run('DELETE FROM once WHERE service = ?', service)
}

function hasKeys(table: OperationTable): boolean {
  return table.select("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'once'", Boolean).length > 0
}

function unsealed(stored: Readonly<Record<string, unknown>>): KeyRow {
  const row = stored as unknown as KeyRow & { readonly seal: string }
  if (row.seal !== sealOf(SEALED.map((name) => row[name]))) throw new Error(`the row for key ${row.key} is damaged`)
  return row
}

function sealOf(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22)
}
