import { KINDS, type Kind, type StatementRow } from './ledger.ts'
import type { Judgement } from './sale.ts'
import type { Units } from './units.ts'

/** The kinds that are about money; of the others it counts where the totals are compared. */
const OF_MONEY: ReadonlySet<Kind> = new Set(['missing', 'extra', 'doubled', 'total'])

/** The two sides kind by kind, and at the end all of it. Each column adds up. */
export function statementOf(judged: readonly Judgement[]): readonly StatementRow[] {
  const sums = new Map<StatementRow['kind'], { count: number; pos: Units; service: Units }>()
  const add = (kind: StatementRow['kind'], pos: Units, service: Units) => {
    const sum = sums.get(kind) ?? { count: 0, pos: 0n, service: 0n }
    sums.set(kind, { count: sum.count + 1, pos: sum.pos + pos, service: sum.service + service })
  }
  for (const one of judged) {
    const { pos: posSurplus, service: serviceSurplus } = one.surplus ?? { pos: 0n, service: 0n }
    const [pos, service] = [one.pos - posSurplus, one.service - serviceSurplus]
    const kinds = new Set(one.differences.map(({ kind }) => kind))
    const main = (['missing', 'extra', 'total'] as const).find((kind) => kinds.has(kind)) ?? 'equal'
    add(main, pos, service)
    if (kinds.has('doubled')) add('doubled', posSurplus, serviceSurplus)
    for (const kind of kinds) if (!OF_MONEY.has(kind)) add(kind, 0n, 0n)
    add('all', one.pos, one.service)
  }
  const rows = (['equal', ...KINDS, 'all'] as const).map((kind): StatementRow | null => {
    const sum = sums.get(kind) ?? (kind === 'all' ? { count: 0, pos: 0n, service: 0n } : null)
    if (sum === null) return null
    const { count, pos, service } = sum
    if (kind === 'equal' || kind === 'all' || OF_MONEY.has(kind))
      return { kind, count, pos, service, difference: pos - service }
    return { kind, count, pos: null, service: null, difference: 0n }
  })
  return rows.filter((row) => row !== null)
}
