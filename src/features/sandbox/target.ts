import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { dataDirectory } from '../../base/storage/directories.ts'
import { isLoopback } from '../../http/loopback.ts'
import type { SandboxControl } from '../../sandbox/control/control.ts'
import { flag } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import type { Host } from '../../terminal/runtime/host.ts'

export const TARGET_FLAGS = {
  data: flag('DIR', 'Use the sandbox whose venue is stored in DIR (default: the sandbox of --profile sandbox).'),
  'base-url': flag('URL', 'Use the sandbox that is running at this address, even if it is in memory.'),
} as const

export const DATA_FLAG = {
  data: flag('DIR', 'Directory that contains the venue (default: the directory of --profile sandbox).'),
} as const

type TargetFlags = { readonly [F in keyof typeof TARGET_FLAGS]?: string | undefined }

export interface Target {
  /**
   * A description of the sandbox, such as `the sandbox at http://127.0.0.1:4010` or `the sandbox of --profile sandbox`.
   */
  readonly name: string
  /** The origin, such as `http://127.0.0.1:4010`, or `null` for a data directory. */
  readonly origin: string | null
  /**
   * Opens the sandbox's control interface, calls `work` with it and closes it. If the directory has no sandbox,
   * `to-change` creates one, and `to-read` throws NOT_FOUND. Throws USAGE if no sandbox is running at the address, or
   * INTERNAL if the sandbox's data is damaged. Also throws any error from `work`.
   */
  use<T>(purpose: 'to-read' | 'to-change', work: (control: SandboxControl) => Promise<T>): Promise<T>
}

export function sandboxDirectory(env: Host['env']): string {
  return join(dataDirectory(env), 'sandbox')
}

/**
 * Returns the given data directory, or by default the directory of the `sandbox` profile. Adds a problem for an invalid
 * directory.
 */
export function chooseDirectory(given: string | undefined, env: Host['env'], problems: Problems): string {
  if (given === undefined) return sandboxDirectory(env)
  if (given === '') problems.add('--data must not be empty', 'pass a directory')
  if (given === ':memory:')
    problems.add(
      '--data :memory: cannot be reached from another process',
      'pass the address of a running sandbox with --base-url',
    )
  return given
}

/**
 * Finds the sandbox that the flags select. The default is the sandbox running at PARTNER_BASE_URL, if any, and
 * otherwise the sandbox of the `sandbox` profile. Throws USAGE.
 */
export async function findTarget(flags: TargetFlags, env: Host['env'], problems = new Problems()): Promise<Target> {
  const { data, 'base-url': given } = flags
  if (data !== undefined && given !== undefined)
    problems.add('--data and --base-url cannot be used together', 'use only one of them')
  if (given !== undefined && !isAddress(given))
    problems.add(
      `--base-url must be the address of a sandbox, such as http://127.0.0.1:4010, not ${JSON.stringify(given)}`,
    )
  const directory = chooseDirectory(data, env, problems)
  problems.throwIfAny()
  const { openControl } = await import('../../sandbox/control/open.ts')
  const baseUrl = given ?? (data === undefined ? await findRunningSandbox(env) : undefined)
  if (baseUrl !== undefined)
    return {
      name: `the sandbox at ${new URL(baseUrl).origin}`,
      origin: new URL(baseUrl).origin,
      use: async (_purpose, work) => useAndClose(await openControl({ baseUrl }), work),
    }
  return {
    name: data === undefined ? 'the sandbox of --profile sandbox' : `the sandbox in ${directory}`,
    origin: null,
    use: async (purpose, work) => {
      if (purpose === 'to-read' && data !== undefined && !existsSync(join(directory, 'sandbox.db')))
        throw new Failure('NOT_FOUND', `${directory} does not contain a sandbox`, {
          hint: `create one: ${formatCommand`sandbox start --data ${directory}`}`,
        })
      return useAndClose(await openControl({ data: directory }), work)
    },
  }
}

async function useAndClose<T>(control: SandboxControl, work: (control: SandboxControl) => Promise<T>): Promise<T> {
  try {
    return await work(control)
  } finally {
    await control.close()
  }
}

function isAddress(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'http:' && url.username === '' && url.password === ''
}

async function findRunningSandbox(env: Host['env']): Promise<string | undefined> {
  const baseUrl = env['PARTNER_BASE_URL']
  if (baseUrl === undefined || !isAddress(baseUrl)) return undefined
  const { readToken } = await import('../../sandbox/control/token.ts')
  const { hostname, port } = new URL(baseUrl)
  return isLoopback(hostname) && readToken(Number(port)) !== null ? baseUrl : undefined
}
