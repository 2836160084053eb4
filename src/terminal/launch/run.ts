import { join } from 'node:path'
import { Bundles, codeCacheGroup } from './bundles.ts'

const BUNDLE = join(import.meta.dirname, 'partner.cjs')

type Partner = { run(argv: readonly string[]): Promise<number>; askForUpdate(): Promise<void> }

/**
 * Runs a command and exits with its exit code. If Node is too old, starts a newer Node before any newer syntax is
 * parsed.
 */
export async function run(argv: readonly string[]): Promise<void> {
  if (argv[0] === '__update') return askForUpdate()
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 19)) return (await import('./relaunch.ts')).relaunch(argv)
  endWithLauncher()
  const bundles = openBundles(codeCacheGroup(argv, process.env))
  const code = await (bundles.load(BUNDLE) as Partner).run(argv)
  if (code === 0) bundles.keepCodeCaches()
  // Exit immediately, because a signal during a slow shutdown would replace the exit code.
  process.exit(code)
}

/** Opens the bundles in dist/. Also used by the script that creates their code caches. */
export function openBundles(group: string): Bundles {
  return new Bundles(group)
}

/** Checks for the latest release in the background. */
async function askForUpdate(): Promise<void> {
  try {
    const { constants, setPriority } = await import('node:os')
    // Use a low priority, so that the check does not slow down other commands.
    setPriority(constants.priority.PRIORITY_LOW)
    await (openBundles('read').load(BUNDLE) as Partner).askForUpdate()
  } catch {
    // Ignore the error: the next command checks again.
  }
  process.exit()
}

/** Stops this process, as a hangup would, when its launcher exits. See `relaunch`. */
function endWithLauncher(): void {
  if (!process.env['PARTNER_RELAUNCHED'] || !process.channel) return
  // Delete the variable, so that partner processes started by this one do not inherit it.
  Reflect.deleteProperty(process.env, 'PARTNER_RELAUNCHED')
  process.channel.unref()
  process.on('disconnect', () => {
    if (process.platform !== 'win32') process.kill(process.pid, 'SIGHUP')
    // Windows does not have SIGHUP, so call its handlers here, or exit if there are none.
    else if (!process.emit('SIGHUP', 'SIGHUP')) process.exit()
  })
}
