import { gaugeText } from '../../base/prometheus.ts'
import { writeFileDurably } from '../../base/storage/durable-write.ts'
import type { CheckState } from '../../monitor/state/machine.ts'
import type { CheckKey } from '../../monitor/state/state-store.ts'
import type { Problems } from '../../terminal/input/problems.ts'
import { checkWritablePath } from '../shared/place.ts'

/** Checks the name that `--prom` gives, and adds a problem if no such file can be written. */
export function checkPromFile(path: string | undefined, problems: Problems): void {
  if (path === undefined) return
  if (!path.endsWith('.prom'))
    problems.add('--prom must name a file that ends in .prom: the node exporter reads no other files')
  else problems.check(() => checkWritablePath(path, true, { flag: '--prom', example: 'DIR/partner.prom' }))
}

/** Writes the gauges of all checks. Throws INTERNAL if the file cannot be written. */
export function writePromFile(path: string, checks: readonly (CheckKey & { readonly state: CheckState })[]): void {
  const labels = ({ name, profile }: CheckKey) => ({ check: name, profile: profile ?? '' })
  const text = [
    gaugeText(
      'partner_check_ok',
      'Whether the check is well (1), or is wrong or cannot be evaluated (0).',
      checks.map((check) => [check.state.state === 'ok' ? 1 : 0, labels(check)]),
    ),
    gaugeText(
      'partner_check_since_seconds',
      'Since when the check has been in this state, in seconds since 1970.',
      checks.map((check) => [check.state.sinceMs / 1000, labels(check)]),
    ),
  ].join('')
  // The node exporter runs as another user, so every user must be able to read the file.
  writeFileDurably(path, text, 0o644)
}
