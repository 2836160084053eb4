import type { ReportFormat } from '../view.ts'
import type { CheckReport } from './check-result.ts'
import { junitReport } from './junit.ts'
import { tapReport } from './tap.ts'

/**
 * Opens a report that a test runner, or its server, reads. `name` is what was checked; `goodWords` lead to what a good one does.
 */
export function openCheckReport(
  format: ReportFormat,
  name: string,
  goodWords = 'a good receiver answers',
): CheckReport {
  return format === 'tap' ? tapReport() : junitReport(name, goodWords)
}
