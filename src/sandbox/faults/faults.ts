import type { Endpoint } from '../../contract/endpoint.ts'
import { ENDPOINTS } from '../../contract/endpoints.ts'
import { Failure } from '../../failure/failure.ts'
import { nearest } from '../../failure/nearest.ts'
import { randomAt } from '../seed/random.ts'
import type { Row, Store } from '../store/store.ts'
import {
  effectProblem,
  type Fault,
  type FaultSpecification,
  patternMatches,
  patternReaches,
  readEndpointPattern,
} from './fault.ts'

/** The faults of a sandbox. They are kept in the store, so that one-shot and running sandboxes on it share them. */
export class Faults {
  readonly #store: Store
  #all: readonly Fault[] = []

  constructor(store: Store) {
    this.#store = store
    this.reload()
  }

  /** Adds a fault and returns it with its number. Fails: USAGE when its endpoint or its numbers make no sense. */
  add(specification: FaultSpecification): Fault {
    check(specification)
    const row = this.#store.get(
      'INSERT INTO faults (specification) VALUES (?) RETURNING *',
      JSON.stringify(specification),
    )
    this.reload()
    return faultOf(row ?? {})
  }

  list(): readonly Fault[] {
    this.reload()
    return this.#all
  }

  /** Removes all faults, or one; returns how many. Null, as it comes over HTTP, is none. */
  clear(id?: number | null): number {
    const removed =
      (id ?? null) === null
        ? this.#store.run('DELETE FROM faults')
        : this.#store.run('DELETE FROM faults WHERE id = ?', Number(id))
    this.reload()
    return removed
  }

  /** Reads what another process may have added. */
  reload(): void {
    this.#all = this.#store.all('SELECT * FROM faults ORDER BY id').map(faultOf)
  }

  /** The faults that strike this request. Counting is a change that is kept at once. */
  strike(method: string, template: string, path: string): readonly Fault[] {
    if (this.#all.length === 0) return []
    const matching = this.#all.filter((fault) => patternMatches(fault.endpoint, method, template, path))
    if (matching.length === 0) return []
    const struck = this.#store.transaction(() => matching.flatMap((fault) => this.#count(fault.id)))
    this.reload()
    return struck
  }

  #count(id: number): Fault[] {
    const row = this.#store.get('UPDATE faults SET seen = seen + 1 WHERE id = ? RETURNING *', id)
    if (!row) return []
    const fault = faultOf(row)
    if (!fires(fault)) return []
    this.#store.run('UPDATE faults SET fired = fired + 1 WHERE id = ?', id)
    return [fault]
  }
}

function fires({ seen, fired, next, nth, share, seed, id }: Fault): boolean {
  if (nth !== undefined) return seen === nth
  if (next !== undefined && fired >= next) return false
  return share === undefined || randomAt(seed ?? id, seen) * 100 < share
}

function faultOf(row: Row): Fault {
  const specification = JSON.parse(String(row['specification'])) as FaultSpecification
  return { id: Number(row['id']), seen: Number(row['seen']), fired: Number(row['fired']), ...specification }
}

function check(specification: FaultSpecification): void {
  const problems = faultProblems(specification)
  if (problems.length > 0) throw new Failure('USAGE', problems.join('; '), { details: { problems } })
}

/** Everything that is wrong with a fault, as it may come from outside. */
export function faultProblems({ endpoint, effect, next, nth, share }: FaultSpecification): string[] {
  const problems: string[] = []
  const endpoints = Object.values(ENDPOINTS)
  if (!readEndpointPattern(endpoint))
    problems.push(`'${endpoint}' is not an endpoint such as "GET /GiftCards/{cardNumber}"`)
  else if (!endpoints.some(({ method, path }) => patternReaches(endpoint, method, path)))
    problems.push(`the service has no endpoint '${endpoint}'${meant(endpoint, endpoints)}`)
  const wrong = effectProblem(effect)
  if (wrong !== null) problems.push(wrong)
  if (next !== undefined && !(Number.isInteger(next) && next > 0)) problems.push('next must be a whole number above 0')
  if (nth !== undefined && !(Number.isInteger(nth) && nth > 0)) problems.push('nth must be a whole number above 0')
  if (share !== undefined && !(share > 0 && share <= 100)) problems.push('share must be above 0 and at most 100')
  return problems
}

function meant(endpoint: string, endpoints: readonly Endpoint[]): string {
  const near = nearest(
    endpoint,
    endpoints.map(({ method, path }) => `${method} ${path}`),
  )
  return near ? `; did you mean '${near}'?` : '; paths are matched in the case written'
}
