import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import { parseJson } from '../../../base/json/parse.ts'
import type { Variables } from '../../../base/storage/directories.ts'
import { profilesPath, readProfiles } from '../../../client/profiles/read.ts'
import type { CommonFlags } from '../../../terminal/input/command-line.ts'
import { outputLinesOf } from '../../../terminal/runtime/child/child-lines.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import type { DoctorRow } from '../output.ts'
import { fail, ok, warn } from './finding.ts'

/** The `PATH` of cron jobs. */
const CRON_PATH = '/usr/bin:/bin'
/** The environment variables that cron passes on to jobs. */
const PASSED_ON = ['HOME', 'LOGNAME', 'SHELL'] as const
/** Matches the names of environment variables that partner and its libraries read. */
const READ_VARIABLES =
  /^(?:PARTNER_.+|OTEL_.+|https?_proxy|no_proxy|NODE_(?:EXTRA_CA_CERTS|OPTIONS)|XDG_(?:CONFIG|DATA|CACHE)_HOME|PG[A-Z]+|TZ)$/i

type CronFlags = CommonFlags & { readonly sync?: readonly string[] | undefined }

/**
 * Yields rows about settings that a cron job lacks, followed by the rows of a doctor that runs like a cron job. Throws
 * Interrupted.
 */
export async function* examineAsCron(
  { sync = [], verbose, ...flags }: CronFlags,
  { env, signal }: Pick<Host, 'env' | 'signal'>,
): AsyncGenerator<DoctorRow> {
  const words = [process.execPath, resolve(process.argv[1] ?? '')]
  yield lostVariables(env)
  yield programsInPath(words)
  yield* relativeTargets(sync, env)
  const given = (['profile', 'base-url', 'ledger', 'timeout'] as const).flatMap((name) => {
    const value = flags[name]
    return value === undefined ? [] : [`--${name}`, value]
  })
  const kept = PASSED_ON.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []))
  const targets = sync.flatMap((name) => ['--sync', name])
  const line = [...words, 'doctor', '--output', 'ndjson', ...given, ...targets, verbose ? '--verbose' : '--quiet']
  const at = { env: { ...Object.fromEntries(kept), PATH: CRON_PATH }, cwd: env['HOME'] || homedir() }
  const lines = outputLinesOf(line, at, signal)
  let step = await lines.next()
  for (; !step.done; step = await lines.next()) yield parseJson(step.value) as DoctorRow
  if (step.value !== 0 && step.value !== 1)
    yield fail('cron', `run as a cron job, doctor exited with ${step.value ?? 'a signal'}`, 'partner doctor')
}

function lostVariables(env: Variables): DoctorRow {
  const lost = [...new Set([...Object.keys(env).filter((name) => READ_VARIABLES.test(name)), ...secretVariables(env)])]
    .filter((name) => env[name] && name !== 'PARTNER_RELAUNCHED')
    .sort()
  if (lost.length === 0) return ok('cron variables', 'all environment variables in use are also set for a cron job')
  return warn(
    'cron variables',
    `set here, but not for a cron job: ${lost.join(', ')}`,
    'set what the job needs at the top of the crontab (crontab -e), and store secrets in a profile: file:PATH',
  )
}

function programsInPath(words: readonly string[]): DoctorRow {
  const missing = ['node', 'partner'].filter((name) => !isInCronPath(name))
  if (missing.length === 0) return ok('cron path', `node and partner are in ${CRON_PATH}`)
  return warn(
    'cron path',
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not in ${CRON_PATH}: a cron job must call Node and partner by their full paths`,
    `${words.map(quoteShellWord).join(' ')} doctor`,
  )
}

function* relativeTargets(targets: readonly string[], env: Variables): Generator<DoctorRow> {
  const cwd = process.cwd()
  const home = env['HOME'] ?? cwd
  const relative = targets.filter((name) => name !== '-' && !name.includes('://') && !isAbsolute(name))
  if (relative.length === 0 || home === cwd) return
  yield warn(
    'cron directory',
    `a cron job starts in ${home}, where ${relative.join(', ')} is another file`,
    `partner doctor --cron ${relative.map((name) => `--sync ${quoteShellWord(join(cwd, name))}`).join(' ')}`,
  )
}

/** Returns the names of the variables from which profiles read secrets, or `[]` if the profiles cannot be read. */
function secretVariables(env: Variables): string[] {
  try {
    return [...readProfiles(profilesPath(env)).byName.values()].flatMap(({ apiKey, signingSecret }) =>
      [apiKey, signingSecret].flatMap((source) => (source !== null && 'env' in source ? [source.env] : [])),
    )
  } catch {
    return []
  }
}

function isInCronPath(program: string): boolean {
  return CRON_PATH.split(':').some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
