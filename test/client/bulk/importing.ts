import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openShop, type Shop } from '../../money/cashier.ts'
import { parseNdjson } from '../../support/ndjson.ts'
import { type Environment, freshDirectory, type Run, runPartner } from '../../support/partner.ts'
import type { RawRequest } from '../../support/raw-server.ts'

export interface Result {
  readonly line: number
  readonly saleId: string | null
  readonly outcome: string
  readonly status: number | null
  readonly message: string | null
}

export function sale(saleId: string, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    origin: { saleId },
    staff: { id: 'anna' },
    table: { seats: 2, number: '5' },
    total: { amount: 2_500, currency: 'AUD' },
    ...more,
  })
}

/** Returns the IDs `T-1`, `T-2`, … */
export function ids(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `T-${at + 1}`)
}

export interface Till extends Shop {
  readonly file: string
  readonly journal: string
  write(...lines: readonly string[]): void
  import(...args: readonly string[]): Promise<Run>
  /** Returns all lines of the journal except the header. */
  entries(): Record<string, unknown>[]
}

export async function openTill(
  lines: readonly string[],
  options: {
    readonly in?: string
    readonly onWrite?: (target: string, request: RawRequest) => void
    readonly env?: Environment
  } = {},
): Promise<Till> {
  const shop = await openShop(options.onWrite)
  const file = join(options.in ?? freshDirectory(), 'sales.ndjson')
  const journal = `${file}.journal`
  const write = (...given: readonly string[]) => writeFileSync(file, given.map((line) => `${line}\n`).join(''))
  write(...lines)
  return {
    ...shop,
    file,
    journal,
    write,
    import: (...args) => runPartner(['sales', 'import', file, ...args], { env: { ...shop.env, ...options.env } }),
    entries: () => parseNdjson(readFileSync(journal, 'utf8')).slice(1),
  }
}

/** Returns the results that an import printed, in file order. */
export function results({ stdout }: Pick<Run, 'stdout'>): Result[] {
  return parseNdjson(stdout).sort((a: Result, b: Result) => a.line - b.line)
}

/** Returns each line's number, sale ID and outcome. */
export function outcomes(run: Pick<Run, 'stdout'>): (readonly [number, string | null, string])[] {
  return results(run).map(({ line, saleId, outcome }) => [line, saleId, outcome] as const)
}
