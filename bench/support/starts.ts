import { spawnSync } from 'node:child_process'
import { median } from './measured.ts'

/** How long a command line takes. */
export interface Start {
  /** The ratio to the time of `node -e 0`; the two are run in alternation. */
  readonly ratio: number
  readonly ms: number
  readonly nodeMs: number
}

type Environment = Readonly<Record<string, string | undefined>>

function wallMs(args: readonly string[], env: Environment, input = ''): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, input, timeout: 30_000, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - started
}

/**
 * Runs a command line and `node -e 0` in alternation, so that drifts in the machine's speed affect both. Returns
 * medians. `input` is the standard input of the command line.
 */
export function measureStart(args: readonly string[], env: Environment, runs: number, input = ''): Start {
  const pairs = Array.from({ length: runs + 1 }, () => ({
    node: wallMs(['-e', '0'], env),
    own: wallMs(args, env, input),
  })).slice(1)
  return {
    ratio: median(pairs.map(({ node, own }) => own / node)),
    ms: median(pairs.map(({ own }) => own)),
    nodeMs: median(pairs.map(({ node }) => node)),
  }
}
