import { literal } from '../../sync/postgres/literals.ts'
import type { NightCopy } from './copy.ts'

/** What to say of codes that no booking of the copy has: a slip in one would count no-shows as covers. `flag`: its name, without dashes. */
export async function unknownCodes(copy: NightCopy, flag: string, codes: readonly string[]): Promise<string[]> {
  const warnings: string[] = []
  for (const code of codes) {
    const found = await copy.rows(`SELECT id FROM bookings WHERE lower(status_code) = lower(${literal(code)}) LIMIT 1`)
    if (found.length === 0)
      warnings.push(
        `--${flag} ${JSON.stringify(code)}: no booking of the copy has that status; partner bookings statuses lists the codes`,
      )
  }
  return warnings
}
