import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { LIMIT_MS } from './limit.ts'
import type { Need } from './needs.ts'

/**
 * The path of a Node executable that is too old for the tool, or `null` if none is installed. When started with an old
 * Node version, the tool restarts itself with a newer one.
 */
export const OLD_NODE =
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'node'))
    .find((node) => isOld(node)) ?? null

export const SOME_OLD_NODE: Need = { isMet: OLD_NODE !== null, lack: 'no Node older than 22.19 is installed' }

function isOld(node: string): boolean {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: LIMIT_MS })
  const [, major = '99', minor = '0'] = /^v(\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return Number(major) < 22 || (major === '22' && Number(minor) < 19)
}
