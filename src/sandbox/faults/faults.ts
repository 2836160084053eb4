import { Failure } from '../../base/failure/failure.ts'
import { randomAtIndex } from '../seed/random.ts'
import type { Row, Store } from '../store/store.ts'
import { findFaultProblems } from './check.ts'
import { type Fault, type FaultSpecification, shouldStrike } from './fault.ts'
import { matchesRequest, readPattern } from './pattern.ts'

/** The faults of a sandbox. They are in the store, so that all processes with the same data share them. */
export class Faults {
  readonly #store: Store
  #all: readonly Fault[] = []

  constructor(store: Store) {
    this.#store = store
    this.reload()
  }

  /** Adds a fault and returns it with its ID. If the fault is invalid, throws USAGE with a list of all problems. */
  add(specification: FaultSpecification): Fault {
    const problems = findFaultProblems(specification)
    if (problems.length > 0) throw new Failure('USAGE', problems.join('; '), { details: { problems } })
    const text = JSON.stringify(specification)
    const row = this.#store.get('INSERT INTO faults (specification) VALUES (?) RETURNING *', text)
    this.reload()
    return readFault(row ?? {})
  }

  list(): readonly Fault[] {
    this.reload()
    return this.#all
  }

  /** Removes one fault, or all faults if `id` is missing or `null`. Returns how many faults were removed. */
  clear(id?: number | null): number {
    const removed =
      (id ?? null) === null
        ? this.#store.run('DELETE FROM faults')
        : this.#store.run('DELETE FROM faults WHERE id = ?', Number(id))
    this.reload()
    return removed
  }

  /** Reads the faults from the store again, because another process might have changed them. */
  reload(): void {
    this.#all = this.#store.all('SELECT * FROM faults ORDER BY id').map(readFault)
  }

  /**
   * Increases the count of each fault that matches a request and returns the faults that affect the request. The counts
   * are never rolled back.
   */
  strike(method: string, template: string, path: string): readonly Fault[] {
    if (this.#all.length === 0) return []
    const matching = this.#all.filter(({ endpoint }) => {
      const pattern = readPattern(endpoint)
      return pattern !== null && matchesRequest(pattern, method, template, path)
    })
    if (matching.length === 0) return []
    const struck = this.#store.transaction(() => matching.flatMap((fault) => this.#count(fault.id)))
    this.reload()
    return struck
  }

  #count(id: number): Fault[] {
    const row = this.#store.get('UPDATE faults SET seen = seen + 1 WHERE id = ? RETURNING *', id)
    if (!row) return []
    const fault = readFault(row)
    if (!shouldStrike(fault, () => randomAtIndex(fault.seed ?? id, fault.seen))) return []
    this.#store.run('UPDATE faults SET fired = fired + 1 WHERE id = ?', id)
    return [fault]
  }
}

function readFault(row: Row): Fault {
  const specification = JSON.parse(String(row['specification'])) as FaultSpecification
  return { id: Number(row['id']), seen: Number(row['seen']), fired: Number(row['fired']), ...specification }
}
