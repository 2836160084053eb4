import { spawnSync } from 'node:child_process'
import { LIMIT_MS } from './limit.ts'
import type { Need } from './needs.ts'

/** The openssl program, which computes signatures independently of the tool and creates certificates. */
export const OPENSSL: Need = {
  isMet: spawnSync('openssl', ['version'], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0,
  lack: 'openssl is not installed',
}
