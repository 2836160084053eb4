import { gaugeText } from '../../base/prometheus.ts'
import { writeFileDurably } from '../../base/storage/durable-write.ts'
import type { CheckState } from '../../monitor/state/machine.ts'
import type { CheckKey } from '../../monitor/state/state-store.ts'
import type { Problems } from '../../terminal/input/problems.ts'
import { checkWritablePath } from '../shared/place.ts'

/** Checks the path in `--prom` and adds a problem if the file cannot be written. */
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
      '1 if the check is ok, 0 if it is wrong or cannot be evaluated.',
      checks.map((check) => [check.state.state === 'ok' ? 1 : 0, labels(check)]),
    ),
    gaugeText(
      'partner_check_since_seconds',
      'Unix time when the check entered its current state.',
      checks.map((check) => [check.state.sinceMs / 1000, labels(check)]),
    ),
  ].join('')
  // The node exporter runs as another user, so every user must be able to read the file.
  writeFileDurably(path, text, 0o644)
}
