import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a temporary directory, and an environment in which partner stores everything in it. */
export function freshHome() {
  const home = mkdtempSync(join(tmpdir(), 'partner-bench-'))
  return {
    home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      PARTNER_CONFIG_DIR: join(home, 'config'),
      PARTNER_DATA_DIR: join(home, 'data'),
      PARTNER_CACHE_DIR: join(home, 'cache'),
    },
  }
}
