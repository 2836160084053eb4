import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import { parseJson } from '../../../base/json/parse.ts'
import { systemProgram } from '../../../base/programs/spawnable.ts'
import type { Variables } from '../../../base/storage/directories.ts'
import { profilesPath, readProfiles } from '../../../client/profiles/read.ts'
import type { CommonFlags } from '../../../terminal/input/command-line.ts'
import { outputLinesOf } from '../../../terminal/runtime/child/child-lines.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import type { DoctorRow } from '../output.ts'
import { fail, ok, warn } from './finding.ts'

const IS_WINDOWS = process.platform === 'win32'
/** Windows has the Task Scheduler instead of cron. */
const JOB = IS_WINDOWS ? 'scheduled task' : 'cron job'
/** The `PATH` of cron jobs. */
const CRON_PATH = '/usr/bin:/bin'
/** The environment variables that cron passes on to jobs. */
const PASSED_ON = ['HOME', 'LOGNAME', 'SHELL'] as const
/** Matches the names of environment variables that partner and its libraries read. */
const READ_VARIABLES =
  /^(?:PARTNER_.+|OTEL_.+|https?_proxy|no_proxy|NODE_(?:EXTRA_CA_CERTS|OPTIONS)|XDG_(?:CONFIG|DATA|CACHE)_HOME|PG[A-Z]+|TZ)$/i

/**
 * The registry keys with the variables that Windows sets for each process of this account, including scheduled tasks.
 */
const VARIABLE_KEYS = ['HKCU\\Environment', 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment']
const REGISTRY_LIMIT_MS = 10_000

type CronFlags = CommonFlags & { readonly sync?: readonly string[] | undefined }

/**
 * Yields rows about settings that a cron job lacks, followed by the rows of a doctor run with the environment of a cron
 * job. Throws Interrupted.
 */
export async function* examineAsCron(
  { sync = [], verbose, ...flags }: CronFlags,
  { env, signal }: Pick<Host, 'env' | 'signal'>,
): AsyncGenerator<DoctorRow> {
  const words = [process.execPath, resolve(process.argv[1] ?? '')]
  const lost = lostVariables(env)
  yield describeLost(lost)
  // On Windows, PATH is irrelevant, because the task that partner prints contains the full paths of Node and partner.
  if (!IS_WINDOWS) yield programsInPath(words)
  yield* relativeTargets(sync, env)
  const given = (['profile', 'base-url', 'ledger', 'timeout'] as const).flatMap((name) => {
    const value = flags[name]
    return value === undefined ? [] : [`--${name}`, value]
  })
  const targets = sync.flatMap((name) => ['--sync', name])
  const line = [...words, 'doctor', '--output', 'ndjson', ...given, ...targets, verbose ? '--verbose' : '--quiet']
  const lines = outputLinesOf(line, { env: environmentOfJob(env, lost), cwd: startDirectory(env) }, signal)
  let step = await lines.next()
  for (; !step.done; step = await lines.next()) yield parseJson(step.value) as DoctorRow
  if (step.value !== 0 && step.value !== 1) {
    const end = step.value === null ? 'was killed by a signal' : `exited with code ${step.value}`
    yield fail('cron', `run as a ${JOB}, doctor ${end}`, 'partner doctor')
  }
}

/** Returns the names of the variables that partner uses here but a job does not receive. */
function lostVariables(env: Variables): readonly string[] {
  const used = [...new Set([...Object.keys(env).filter((name) => READ_VARIABLES.test(name)), ...secretVariables(env)])]
    .filter((name) => env[name] && name !== 'PARTNER_RELAUNCHED')
    .sort()
  if (!IS_WINDOWS || used.length === 0) return used
  const kept = accountVariables()
  return used.filter((name) => !kept.has(name.toUpperCase()))
}

/** Returns the names, in upper case, of the variables that Windows sets for each process of this account. */
function accountVariables(): ReadonlySet<string> {
  const options = { encoding: 'latin1', timeout: REGISTRY_LIMIT_MS, windowsHide: true } as const
  const texts = VARIABLE_KEYS.map((key) => spawnSync(systemProgram('reg.exe'), ['query', key], options).stdout ?? '')
  return new Set([...texts.join('\n').matchAll(/^ +(\S+) +REG_/gm)].map(([, name = '']) => name.toUpperCase()))
}

function environmentOfJob(env: Variables, lost: readonly string[]): Record<string, string> {
  const kept = IS_WINDOWS ? Object.keys(env).filter((name) => !lost.includes(name)) : PASSED_ON
  const passedOn = kept.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []))
  return { ...Object.fromEntries(passedOn), ...(IS_WINDOWS ? {} : { PATH: CRON_PATH }) }
}

function startDirectory(env: Variables): string {
  return IS_WINDOWS ? dirname(systemProgram('cmd.exe')) : env['HOME'] || homedir()
}

function describeLost(lost: readonly string[]): DoctorRow {
  if (lost.length === 0) return ok('cron variables', `all environment variables in use are also set for a ${JOB}`)
  const place = IS_WINDOWS
    ? 'add the variables for the task to your account (setx NAME VALUE)'
    : 'at the top of the crontab (crontab -e), set the variables for the job'
  return warn(
    'cron variables',
    `set here, but not for a ${JOB}: ${lost.join(', ')}`,
    `${place}; for secrets, use file:PATH in a profile`,
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
  const start = IS_WINDOWS ? startDirectory(env) : (env['HOME'] ?? cwd)
  const relative = targets.filter((name) => name !== '-' && !name.includes('://') && !isAbsolute(name))
  if (relative.length === 0 || start === cwd) return
  yield warn(
    'cron directory',
    `a ${JOB} starts in ${start}, where ${relative.join(', ')} is a different file`,
    `partner doctor --cron ${relative.map((name) => `--sync ${quoteShellWord(join(cwd, name))}`).join(' ')}`,
  )
}

/**
 * Returns the names of the environment variables that profiles read secrets from, or `[]` if the profiles cannot be
 * read.
 */
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
