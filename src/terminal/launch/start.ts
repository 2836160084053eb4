import { writeSync } from 'node:fs'
import { join } from 'node:path'
import type { answer } from '../completion/answer.ts'
import type { Bundles } from './bundles.ts'
import { pageFor } from './pages.ts'

// The build makes dist/launch.cjs of this, which any Node from 14.18 on can load. The order matters: help, the version and a Tab are
// answered before anything else is loaded, and an old Node is replaced before it meets code that it cannot parse.

const COMPLETION = join(import.meta.dirname, 'completion')
const BUNDLE = join(import.meta.dirname, 'partner.cjs')

/** What the bundle exports. */
interface Partner {
  run(argv: readonly string[]): Promise<number>
  askForUpdate(): Promise<void>
}

/** Does what a command line asks for, and sets the exit code of the process. */
export async function start(argv: readonly string[]): Promise<void> {
  if (argv[0] === '__complete') return complete(argv.slice(1))
  if (argv[0] === '__update') return askForUpdate()
  const page = await pageFor(argv)
  if (page !== null) return print(page)
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 19)) return (await import('./relaunch.ts')).relaunch(argv)
  endWithLauncher()
  const { codeCacheGroup } = await import('./code-cache.ts')
  const bundles = await openBundles(codeCacheGroup(argv, process.env))
  const code = await (bundles.load(BUNDLE) as Partner).run(argv)
  if (code === 0) bundles.keepCodeCaches()
  // At once: a Node that ends by itself no longer answers signals while it clears up, and one would take the exit code's place.
  process.exit(code)
}

/** Opens the bundles of dist/. The script that makes their code caches does so, too. */
export async function openBundles(group: string): Promise<Bundles> {
  return new (await import('./bundles.ts')).Bundles(group)
}

/** Answers the completion script of a shell, from a table that the build made. Whatever goes wrong, a Tab says nothing. */
function complete(words: readonly string[]): void {
  try {
    const answering = require(join(COMPLETION, 'answer.cjs')) as { readonly answer: typeof answer }
    print(answering.answer(words, process.env, join(COMPLETION, 'table.json')))
  } catch {
    // The shell shows what it has itself.
  }
}

/** Asks for the newest release: a command at a terminal has started this, and nobody waits for it or hears of it. */
async function askForUpdate(): Promise<void> {
  try {
    const { constants, setPriority } = await import('node:os')
    // The next command at the till comes first.
    setPriority(constants.priority.PRIORITY_LOW)
    await ((await openBundles('read')).load(BUNDLE) as Partner).askForUpdate()
  } catch {
    // The next command asks again.
  }
  process.exit()
}

/** Writes all of a text to stdout at once, also into a pipe that is full for the moment. */
function print(text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EAGAIN') continue
      process.exitCode = code === 'EPIPE' ? 0 : 1
      if (code !== 'EPIPE') writeSync(2, `error: stdout cannot be written (${code})\n`)
      return
    }
  }
}

/** Stops this process, as a hangup does, when the launcher that started it is gone: see `relaunch`. */
function endWithLauncher(): void {
  if (!process.env['PARTNER_RELAUNCHED'] || !process.channel) return
  // A partner that this process starts may need a launcher again.
  Reflect.deleteProperty(process.env, 'PARTNER_RELAUNCHED')
  process.channel.unref()
  process.on('disconnect', () => process.kill(process.pid, 'SIGHUP'))
}
