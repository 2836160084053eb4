import { spawnSync } from 'node:child_process'
import { median } from './measured.ts'

/** What a command line took to start and end. */
export interface Start {
  /** Against the empty Node, run in turn with it. */
  readonly ratio: number
  readonly ms: number
  readonly nodeMs: number
}

type Environment = Readonly<Record<string, string | undefined>>

function wallMs(args: readonly string[], env: Environment): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, timeout: 30_000, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - started
}

/** Medians of a command line and of `node -e 0` in turn, so that a machine whose speed drifts does not decide. */
export function measureStart(args: readonly string[], env: Environment, runs: number): Start {
  const pairs = Array.from({ length: runs + 1 }, () => ({
    node: wallMs(['-e', '0'], env),
    own: wallMs(args, env),
  })).slice(1)
  return {
    ratio: median(pairs.map(({ node, own }) => own / node)),
    ms: median(pairs.map(({ own }) => own)),
    nodeMs: median(pairs.map(({ node }) => node)),
  }
}
