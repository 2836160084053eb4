const MAX_RECORDS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
const MAX_DEPTH = 8

/** Converts records to NDJSON. If a command could not read them, reports the first problem and returns `undefined`. */
export function recordsText(value: unknown, report: (words: string) => undefined): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return report('must be a list of at least one object')
  if (value.length > MAX_RECORDS) return report(`must have at most ${MAX_RECORDS} items, not ${value.length}`)
  const lines: string[] = []
  let bytes = 0
  for (const [at, record] of value.entries()) {
    const problem = problemOf(record)
    if (problem !== null) return report(`[${at}] ${problem}`)
    const line = JSON.stringify(record)
    bytes += Buffer.byteLength(line) + 1
    if (bytes > MAX_BYTES) return report(`must be at most ${MAX_BYTES / 1024 / 1024} MiB`)
    lines.push(`${line}\n`)
  }
  return lines.join('')
}

function problemOf(record: unknown): string | null {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return 'must be an object'
  return deepProblem(record, 1)
}

function deepProblem(value: unknown, depth: number): string | null {
  // Reject numbers beyond the safe range, because the JSON parser might have rounded them.
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
    return 'contains a number that is too large to represent exactly'
  if (typeof value !== 'object' || value === null) return null
  if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`
  for (const each of Object.values(value)) {
    const problem = deepProblem(each, depth + 1)
    if (problem !== null) return problem
  }
  return null
}
