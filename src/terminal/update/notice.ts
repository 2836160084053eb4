import { join } from 'node:path'
import { agentVariable, firstSet } from '../runtime/agent.ts'
import type { Host } from '../runtime/host.ts'
import { changeNote, isDue, readNote, type UpdateNote } from './note.ts'
import { isNewer } from './release.ts'
import { parseUpdateUrl, type UpdateSource, updateSource } from './source.ts'

const SILENCING_VARIABLES = [
  // Variables that users set to disable update notices, in partner or in all programs.
  ...['PARTNER_NO_UPDATE_NOTIFIER', 'NO_UPDATE_NOTIFIER'],
  // Variables that CI systems set.
  ...['CI', 'CONTINUOUS_INTEGRATION', 'BUILD_NUMBER', 'RUN_ID', 'APPVEYOR', 'BITBUCKET_BUILD_NUMBER', 'BUILDKITE'],
  ...['CIRCLECI', 'CODEBUILD_BUILD_ID', 'GITHUB_ACTIONS', 'GITLAB_CI', 'JENKINS_URL', 'TEAMCITY_VERSION', 'TF_BUILD'],
]

/**
 * Commands that print no notice, because a shell runs their output, or because they hand the terminal to another
 * program.
 */
const COMMANDS_WITHOUT_NOTICE = ['completion', 'sandbox exec']

/** Returns the name of the variable that disables update notices, or `null` if none is set. */
export function silencedBy(env: Host['env']): string | null {
  return firstSet(env, SILENCING_VARIABLES) ?? agentVariable(env)
}

/**
 * Prints a notice about a newer release at most once a day. Starts the background process that checks for one. Must be
 * called last. Never fails.
 */
export async function notifyOfUpdate(host: Host, command: string): Promise<void> {
  const { env, dist, stderr } = host
  if (stderr.isQuiet || COMMANDS_WITHOUT_NOTICE.includes(command) || silencedBy(env) !== null) return
  const source = updateSource(env, dist)
  if (source === null || parseUpdateUrl(source.address) === null) return
  try {
    const note = readNote(env)
    await printNotice(host, source, note)
    if (isCheckDue(note, source, host.now())) startCheck(host, source)
  } catch {}
}

async function printNotice(host: Host, { address, page }: UpdateSource, note: UpdateNote): Promise<void> {
  const { env, version, stderr, stderrScreen } = host
  const now = host.now()
  const { release } = note
  if (release === null || note.address !== address || !isNewer(release, version) || !isDue(note.toldAt, now)) return
  if (!changeNote(env, (fresh) => (isDue(fresh.toldAt, now) ? { ...fresh, toldAt: now } : null))) return
  const how = page === null ? 'How to get it: partner help environment' : `Get it: ${page}`
  const line = `partner ${release} is out; you have ${version}. ${how}`
  const { hangingLines } = await import('../render/text/message-lines.ts')
  await stderr.write(`${(await hangingLines(line, stderrScreen)).join('\n')}\n`)
  await stderr.flush()
}

function isCheckDue(note: UpdateNote, { address }: UpdateSource, now: number): boolean {
  return note.address !== address || isDue(note.askedAt, now)
}

/** Starts the check in the background. If several commands end at the same time, only one of them starts it. */
function startCheck(host: Host, source: UpdateSource): void {
  const { env, dist } = host
  const now = host.now()
  const mark = (note: UpdateNote): UpdateNote | null => {
    if (!isCheckDue(note, source, now)) return null
    const release = note.address === source.address ? note.release : null
    return { ...note, address: source.address, release, askedAt: now }
  }
  if (!changeNote(env, mark)) return
  const { spawn } = process.getBuiltinModule('node:child_process')
  // The background process has its own session, streams and directory, so it does not block this process's terminal or
  // directory.
  const child = spawn(process.execPath, [join(dist, '..', 'bin', 'run.js'), '__update'], {
    cwd: dist,
    env,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  })
  child.on('error', () => {})
  child.unref()
}
