import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt } from '../../scripts/build/freshness.ts'
import { ROOT } from './partner.ts'

/** Builds dist/ before the first test, unless it is newer than all of its sources. */
export default function setup(): void {
  if (process.env['PARTNER_TEST_BIN'] !== undefined || isBuilt(ROOT)) return
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'build', 'build.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 180_000,
  })
}
