import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDirectory, type Variables } from '../../base/storage/directories.ts'
import { Bundles, codeCacheGroup } from './bundles.ts'

const BUNDLE = join(import.meta.dirname, 'partner.cjs')

interface Partner {
  run(argv: readonly string[]): Promise<number>
  askForUpdate(): Promise<void>
}

/** Runs a command and ends the process with its exit code. An old Node is replaced before it meets code that it cannot parse. */
export async function run(argv: readonly string[]): Promise<void> {
  if (argv[0] === '__update') return askForUpdate()
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 19)) return (await import('./relaunch.ts')).relaunch(argv)
  endWithLauncher()
  const bundles = openBundles(codeCacheGroup(argv, process.env))
  const code = await (bundles.load(BUNDLE) as Partner).run(argv)
  if (code === 0) bundles.keepCodeCaches()
  // At once: a Node that ends by itself no longer answers signals while it clears up, and one would take the exit code's place.
  process.exit(code)
}

/** Opens the bundles of dist/. The script that makes their code caches does so, too. */
export function openBundles(group: string): Bundles {
  return new Bundles(group)
}

/** Whether there are profiles, or the environment names a service instead. */
export function hasProfiles(env: Variables): boolean {
  try {
    return (
      Boolean(env['PARTNER_PROFILE'] || env['PARTNER_BASE_URL']) ||
      existsSync(join(configDirectory(env), 'profiles.json'))
    )
  } catch {
    // There is no home directory.
    return false
  }
}

/** Asks for the newest release: a command at a terminal has started this, and nobody waits for it or hears of it. */
async function askForUpdate(): Promise<void> {
  try {
    const { constants, setPriority } = await import('node:os')
    // The next command at the till comes first.
    setPriority(constants.priority.PRIORITY_LOW)
    await (openBundles('read').load(BUNDLE) as Partner).askForUpdate()
  } catch {
    // The next command asks again.
  }
  process.exit()
}

/** Stops this process, as a hangup does, when the launcher that started it is gone: see `relaunch`. */
function endWithLauncher(): void {
  if (!process.env['PARTNER_RELAUNCHED'] || !process.channel) return
  // A partner that this process starts may need a launcher again.
  Reflect.deleteProperty(process.env, 'PARTNER_RELAUNCHED')
  process.channel.unref()
  process.on('disconnect', () => process.kill(process.pid, 'SIGHUP'))
}
