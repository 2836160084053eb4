import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { debianName } from './debian.ts'
import { PLATFORMS } from './platforms.ts'

// Installs the Debian package in release/ on this machine, runs it as an ordinary user, and removes it. Does nothing if
// dpkg is missing, or if neither root nor sudo is available. Fails if partner is already installed.

const root = join(import.meta.dirname, '..', '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const architecture = PLATFORMS.find(({ name }) => name === `${process.platform}-${process.arch}`)?.debian ?? null
const isRoot = process.getuid?.() === 0
const NOBODY = 65534
const TOOL = '/usr/bin/partner'
const CODE_CACHE = '/usr/lib/partner/lib/partner/dist/code-cache'

const lack = lackOf()
if (lack === null) checkPackage(join(root, 'release', debianName(version, architecture ?? '')))
else process.stdout.write(`skipped the Debian package: ${lack}\n`)

function lackOf(): string | null {
  const succeeds = (program: string, args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0
  if (architecture === null || !succeeds('dpkg', ['--version'])) return 'dpkg is not installed'
  return isRoot || succeeds('sudo', ['-n', 'true']) ? null : 'installing it needs root, or sudo without a password'
}

function checkPackage(file: string): void {
  const paths = pathsIn(file)
  const before = paths.filter(isPresent)
  const foreign = before.find((path) => !path.endsWith('/'))
  if (foreign !== undefined) throw new Error(`partner is already installed on this machine, see ${foreign}`)
  const home = mkdtempSync(join(tmpdir(), 'partner-installed-'))
  if (isRoot) chownSync(home, NOBODY, NOBODY)
  try {
    for (const how of ['--remove', '--purge']) {
      // `--path-include` installs the manual pages even on images that exclude documentation.
      asRoot('dpkg', ['--path-include=/usr/share/*', '--install', file])
      const changed = run('dpkg', ['--verify', 'partner'], home)
      if (changed !== '') throw new Error(`the installed files differ from the checksums in the package:\n${changed}`)
      worksForUsers(home)
      const own = globSync('**', { cwd: home }).sort()
      asRoot('dpkg', [how, 'partner'])
      const after = [...paths, CODE_CACHE].filter(isPresent)
      if (after.join('\n') !== before.join('\n'))
        throw new Error(`dpkg ${how} leaves files behind:\n${after.join('\n')}`)
      if (own.join('\n') !== globSync('**', { cwd: home }).sort().join('\n'))
        throw new Error(`dpkg ${how} changes the files of users`)
      step(`dpkg ${how}: nothing is left of the package, and the ${own.length} files of its user are kept`)
    }
  } finally {
    if (isPresent(TOOL)) asRoot('dpkg', ['--purge', 'partner'])
    rmSync(home, { recursive: true, force: true })
  }
}

/** Returns the absolute paths of a package's files and folders. The names of folders end with a slash. */
function pathsIn(file: string): string[] {
  const listed = execFileSync('dpkg-deb', ['--contents', file], { encoding: 'utf8' })
  return [...listed.matchAll(/ \.(\/\S+)/g)].map(([, path = '']) => path)
}

function isPresent(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function worksForUsers(home: string): void {
  const said = run(TOOL, ['--version'], home)
  if (!said.startsWith(`partner/${version} `)) throw new Error(`${TOOL} --version said: ${said}`)
  const statuses = run(TOOL, ['bookings', 'statuses', '--profile', 'sandbox', '-o', 'tsv'], home)
  if (!statuses.includes('\nCONFIRMED\t')) throw new Error(`bookings statuses said: ${statuses}`)
  step(`${TOOL} from ${debianName(version, architecture ?? '')}, in an empty environment: ${said.trim()}`)
  if (!existsSync(CODE_CACHE) || existsSync(join(home, 'cache', 'code')))
    throw new Error('the code cache that the package made is not used')
  step('the code cache, made by the package')
  const shells = { HOME: home, PATH: '/usr/bin:/bin' }
  finds('man', ['-w', 'partner'], '/usr/share/man/man1/partner.1.gz\n', home, shells)
  finds('fish', ['-c', 'complete -C "partner bookings stat"'], 'statuses', home, shells)
  finds('zsh', ['-fc', 'autoload -Uz compinit && compinit -uD && print $_comps[partner]'], '_partner\n', home, shells)
}

/** Checks that a program finds the package's files. Skips a program that is not installed. */
function finds(program: string, args: string[], expected: string, home: string, env: NodeJS.ProcessEnv): void {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0)
    return void process.stdout.write(`skipped ${program}: it is not installed\n`)
  const said = run(program, args, home, env)
  if (!said.startsWith(expected)) throw new Error(`${program} ${args.join(' ')} said: ${said}`)
  step(`${program} finds ${said.split('\n', 1)}`)
}

/**
 * Runs a program as an ordinary user. Its environment contains only `env` and the variables for partner's directories.
 */
function run(program: string, args: string[], home: string, env: NodeJS.ProcessEnv = {}): string {
  const kinds = ['CONFIG', 'DATA', 'CACHE'].map((kind) => [`PARTNER_${kind}_DIR`, join(home, kind.toLowerCase())])
  return execFileSync(program, args, {
    cwd: home,
    env: { ...Object.fromEntries(kinds), ...env },
    encoding: 'utf8',
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  })
}

function asRoot(program: string, args: string[]): void {
  const [first, ...rest] = isRoot ? [program, ...args] : ['sudo', '-n', program, ...args]
  execFileSync(first ?? program, rest, { stdio: ['ignore', 2, 2] })
}

function step(done: string): void {
  process.stdout.write(`ok: ${done}\n`)
}
