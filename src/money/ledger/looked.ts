import type { Looked } from './import.ts'
import { LEDGER, quoted } from './schema.ts'

/** Matches the operations that `operations list` prints, and their keys. */
export const LISTED = "state <> 'done' AND phase <> 'claimed'"
export const KEYS_OF_LISTED = `operation IN (SELECT id FROM ${LEDGER}.operations WHERE ${LISTED})`
/** Matches no row. */
export const NOTHING = 'false'

/**
 * Returns conditions that match the operations on a card or sale and their keys. They also match `key`, even if it has
 * no operation.
 */
export function about(service: string, target: string, key: string | null): Looked {
  const own = `service = ${quoted(service)}`
  const operations = `${own} AND target = ${quoted(target)}`
  const keys = `operation IN (SELECT id FROM ${LEDGER}.operations WHERE ${operations})`
  return { operations, keys: key === null ? keys : `${keys} OR (${own} AND key = ${quoted(key)})` }
}

export function aboutOperation(id: string): Looked {
  return { operations: `id = ${quoted(id)}`, keys: `operation = ${quoted(id)}` }
}
