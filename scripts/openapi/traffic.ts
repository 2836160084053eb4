import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Answers, Requests } from './conform.ts'
import type { FoundOperation, HarEntry, OpenApi, Operation } from './openapi.ts'
import type { TAKEN_ANYWAY } from './taken-anyway.ts'

/** The result of comparing traffic with the document. */
export interface Verdict {
  /** The differences between the traffic and the document, one per line. */
  readonly differences: readonly string[]
  /** The differences that {@link TAKEN_ANYWAY} allows. */
  readonly taken: readonly string[]
  /** Each operation and status (as `operation status`) for which the traffic contains a conforming response. */
  readonly seen: ReadonlySet<string>
  /** Each operation and status (as `operation status`) that the document describes but the traffic does not contain. */
  readonly unseen: readonly string[]
  /** The number of HAR entries, and the number affected by faults. */
  readonly counts: { readonly entries: number; readonly struck: number }
}

/** The statuses of responses to requests with an unknown path or method. */
const NOWHERE = [404, 405]

/** Reads all entries of the HAR files in a directory and its subdirectories. */
export function* readTraffic(directory: string): Generator<HarEntry> {
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.har'),
  ))
    yield* JSON.parse(readFileSync(join(directory, name), 'utf8')).log.entries
}

/**
 * Compares a sandbox's traffic with the OpenAPI document. Every response must be documented and must not have
 * additional members. Every request that the sandbox accepted must be documented. Differences in requests that a fault
 * affected are ignored.
 * @param anyway Undocumented requests that are allowed. None by default.
 */
export function judgeTraffic(
  document: OpenApi,
  traffic: Iterable<HarEntry>,
  anyway: typeof TAKEN_ANYWAY = [],
): Verdict {
  const taken = new Set<string>()
  const operations = new Operations(document)
  const requests = new Requests(document)
  const answers = new Answers(document)
  const differences = new Set<string>()
  const seen = new Set<string>()
  const counts = { entries: 0, struck: 0 }
  for (const entry of traffic) {
    const { status } = entry.response
    const isStruck = (entry._faults ?? []).length > 0
    counts.entries++
    if (isStruck) counts.struck++
    const url = new URL(entry.request.url)
    const found = operations.find(entry.request.method, url.pathname)
    if (found === null) {
      if (!isStruck && !NOWHERE.includes(status))
        differences.add(
          `${entry.request.method} ${url.pathname}: the document has no such operation, answered ${status}`,
        )
      continue
    }
    const wrong = [
      ...answers.complaints(found.pointer, found.operation, entry.response),
      ...(status < 400 ? requests.complaints(found, url, entry.request) : []),
    ]
    if (wrong.length === 0) seen.add(`${found.operation.operationId} ${status}`)
    else if (!isStruck)
      for (const one of wrong) {
        const { operationId } = found.operation
        const known = anyway.find(({ operation, complaint }) => operation.test(operationId) && complaint.test(one))
        const line = `${operationId}, answered ${status}: ${one}`
        if (known) taken.add(`${line}: ${known.why}`)
        else differences.add(line)
      }
  }
  const unseen = operations.statuses().filter((one) => !seen.has(one))
  return { differences: [...differences], taken: [...taken], seen, unseen, counts }
}

/** Finds the operation for a path. A literal path segment takes precedence over a parameter. */
class Operations {
  readonly #all: {
    readonly segments: readonly string[]
    readonly method: string
    readonly pointer: string
    readonly operation: Operation
  }[]

  constructor({ paths }: OpenApi) {
    this.#all = Object.entries(paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          segments: path.split('/'),
          method: method.toUpperCase(),
          pointer: `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
          operation,
        })),
      )
      .sort((one, other) => parameterCount(one.segments) - parameterCount(other.segments))
  }

  find(method: string, path: string): FoundOperation | null {
    // The specification spells the first segment of this path both `Resources` and `resources`.
    const segments = (path === '/resources/booking-statuses' ? '/Resources/booking-statuses' : path).split('/')
    const fits = (template: readonly string[]) =>
      template.length === segments.length &&
      template.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))
    const [first] = this.#all.filter((one) => one.method === method && fits(one.segments))
    if (first === undefined) return null
    const values = first.segments.flatMap((part, at) =>
      part.startsWith('{') ? [[part.slice(1, -1), decoded(segments[at] ?? '')]] : [],
    )
    return { operation: first.operation, pointer: first.pointer, path: Object.fromEntries(values) }
  }

  statuses(): string[] {
    return this.#all.flatMap(({ operation }) =>
      Object.keys(operation.responses).map((status) => `${operation.operationId} ${status}`),
    )
  }
}

function parameterCount(segments: readonly string[]): number {
  return segments.filter((part) => part.startsWith('{')).length
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
