import type { NightReport } from '../report.ts'
/** x */
export function nightPage(_report: NightReport, _about: { nowMs: number; version: string }): string {
  return ''
}
