import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { npm } from './npm.ts'

// Tests the files in release/ as a user would. Unpacks the archive for this machine into a different folder, runs it
// with an empty PATH and through symbolic links, and runs the tests in test/acceptance with it. Passes its arguments to
// vitest, so that they can exclude tests. Also installs the npm package.

const root = join(import.meta.dirname, '..', '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const name = `partner-${version}-${process.platform}-${process.arch}`
const place = mkdtempSync(join(tmpdir(), 'partner archive '))
const NO_PATH = { PATH: '/nonexistent' }

try {
  execFileSync('tar', ['-xzf', join(root, 'release', `${name}.tar.gz`), '-C', place])
  const home = join(place, name)
  const tool = join(home, 'bin', 'partner')
  saysItsVersion(tool)
  throughLinks(tool)
  worksWithoutAHome(tool)
  installs()
  goesThroughTheJourneys(home, tool)
  isWarmedInPlace(home, tool)
} finally {
  rmSync(place, { recursive: true, force: true })
}

function saysItsVersion(program: string, env: NodeJS.ProcessEnv = NO_PATH, cwd = place): void {
  const said = execFileSync(program, ['--version'], { cwd, env, encoding: 'utf8' })
  if (!said.startsWith(`partner/${version} `)) throw new Error(`${program} --version said: ${said}`)
  step(`${relative(place, resolve(cwd, program))}: ${said.trim()}`)
}

/** Runs the tool through an absolute link, a link to a link, and a relative link, each from a different folder. */
function throughLinks(tool: string): void {
  const links = join(place, 'links')
  mkdirSync(links)
  symlinkSync(tool, join(links, 'partner'))
  symlinkSync('partner', join(links, 'again'))
  symlinkSync(relative(links, tool), join(links, 'relative'))
  for (const link of ['partner', 'again', 'relative']) saysItsVersion(join(links, link))
  saysItsVersion('./relative', NO_PATH, links)
}

/** Runs the built-in sandbox in an empty environment and sends it a request from a second process. */
function worksWithoutAHome(tool: string): void {
  const env = { ...NO_PATH, ...directories('bare') }
  const said = execFileSync(tool, ['bookings', 'statuses', '--profile', 'sandbox', '-o', 'tsv'], {
    cwd: place,
    env,
    encoding: 'utf8',
  })
  if (!said.includes('\nCONFIRMED\t')) throw new Error(`bookings statuses said: ${said}`)
  step('bookings statuses, in an empty environment')
}

/** Checks that the npm package works without any dependencies. */
function installs(): void {
  const prefix = join(place, 'npm')
  npm(place, [
    'install',
    '--global',
    '--offline',
    '--omit=dev',
    '--prefix',
    prefix,
    join(root, 'release', `partner-${version}.tgz`),
  ])
  saysItsVersion(join(prefix, 'bin', 'partner'), { ...process.env })
  execFileSync(join(prefix, 'bin', 'partner'), ['bookings', 'statuses', '--profile', 'sandbox', '-o', 'tsv'], {
    cwd: place,
    env: { ...process.env, ...directories('installed') },
  })
  step('bookings statuses, installed by npm')
}

function goesThroughTheJourneys(home: string, tool: string): void {
  const wrapper = join(place, 'partner')
  writeFileSync(wrapper, wrapperText(tool), { mode: 0o755 })
  const env = {
    ...process.env,
    PARTNER_TEST_TOOL: wrapper,
    PARTNER_TEST_BIN: join(home, 'lib', 'partner', 'bin', 'run.js'),
  }
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/acceptance', ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('the journeys failed with the tool from the archive')
  step('the journeys')
}

/**
 * Creates the code cache in the unpacked archive, as the container image and the Homebrew formula do. Checks that later
 * runs use this cache instead of creating their own.
 */
function isWarmedInPlace(home: string, tool: string): void {
  const partner = join(home, 'lib', 'partner')
  const script = join(partner, 'scripts', 'build', 'code-cache.cjs')
  execFileSync(join(home, 'lib', 'node'), [script, join(partner, 'dist')], {
    cwd: place,
    env: NO_PATH,
    stdio: 'inherit',
  })
  const own = directories('warmed')
  execFileSync(tool, ['bookings', 'statuses', '--profile', 'sandbox'], { cwd: place, env: { ...NO_PATH, ...own } })
  if (existsSync(join(String(own['PARTNER_CACHE_DIR']), 'code')))
    throw new Error('the code cache in the archive is not used')
  step('the code cache, made in place')
}

/** Returns a shell script that runs the tool without a PATH, unless the command starts other programs. */
function wrapperText(tool: string): string {
  return `#!/bin/sh
case " $* " in *' exec '* | *' --exec '* | *' --run '* | *' rehearse '*) ;; *) PATH=/nonexistent ;; esac
exec '${tool}' "$@"
`
}

function directories(of: string): NodeJS.ProcessEnv {
  const kinds = ['CONFIG', 'DATA', 'CACHE'].map((kind) => [`PARTNER_${kind}_DIR`, join(place, of, kind.toLowerCase())])
  return Object.fromEntries(kinds) as NodeJS.ProcessEnv
}

function step(done: string): void {
  process.stdout.write(`ok: ${done}\n`)
}
