import { accessSync, constants } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { shellWord } from '../../../base/failure/shell-word.ts'
import type { Variables } from '../../../base/storage/directories.ts'
import { profilesPath, readProfiles } from '../../../client/profiles/read.ts'
import type { DoctorRow } from '../output.ts'
import { ok, warn } from './finding.ts'

/** Where cron looks for programs. */
const CRON_PATH = '/usr/bin:/bin'
/** What a job of cron has of a user's variables. */
const KEPT = ['HOME', 'LOGNAME', 'SHELL'] as const
/** What partner and what it is made of read. */
const READ =
  /^(?:PARTNER_.+|https?_proxy|no_proxy|NODE_(?:EXTRA_CA_CERTS|OPTIONS)|XDG_(?:CONFIG|DATA|CACHE)_HOME|PG[A-Z]+|TZ)$/i

/** The variables of a job of cron. */
export function cronVariables(env: Variables): Record<string, string> {
  const kept = KEPT.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []))
  return { ...Object.fromEntries(kept), PATH: CRON_PATH }
}

/** This program as it was called, and where. */
export interface Called {
  readonly env: Variables
  /** Node, and the file that it runs. */
  readonly words: readonly [node: string, program: string]
  readonly syncTargets: readonly string[]
  readonly cwd: string
}

/** What a job of cron lacks that is there now. */
export function* lostToCron({ env, words, syncTargets, cwd }: Called): Generator<DoctorRow> {
  const lost = [...new Set([...Object.keys(env).filter((name) => READ.test(name)), ...secretVariables(env)])]
    .filter((name) => env[name] && !/^PARTNER_RELAUNCHED$/.test(name))
    .sort()
  yield shown(
    lost.length === 0
      ? ok('cron variables', 'nothing that partner reads is set in this shell alone')
      : warn(
          'cron variables',
          `set here, and not for a job of cron: ${lost.join(', ')}`,
          'set what the job needs at the top of the crontab (crontab -e), and keep secrets in a profile: file:PATH',
        ),
  )
  const missing = ['node', 'partner'].filter((name) => !isInCronPath(name))
  yield shown(
    missing.length === 0
      ? ok('cron path', `node and partner are in ${CRON_PATH}`)
      : warn(
          'cron path',
          `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not in ${CRON_PATH}: a job must name Node and partner by their paths`,
          `${words.map(shellWord).join(' ')} doctor`,
        ),
  )
  const relative = syncTargets.filter((name) => name !== '-' && !name.includes('://') && !isAbsolute(name))
  const home = env['HOME'] ?? cwd
  if (relative.length > 0 && home !== cwd)
    yield shown(
      warn(
        'cron directory',
        `a job of cron starts in ${home}: there ${relative.join(', ')} is another file`,
        `partner doctor --cron ${relative.map((name) => `--sync ${shellWord(join(cwd, name))}`).join(' ')}`,
      ),
    )
}

/** The variables that profiles read secrets from; none when the profiles cannot be read. */
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

function shown({ name, status, message, next }: DoctorRow): DoctorRow {
  return { name, status, message, next }
}
