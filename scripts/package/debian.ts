import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'fflate'
import { SCRIPTS } from '../../src/terminal/completion/shells/scripts.ts'
import { LICENCES_FILE } from './licences.ts'
import { type ArchivedFile, FIXED_TIME_S } from './tar.ts'

// Creates Debian packages with dpkg-deb, which is part of Debian and Ubuntu.

const TEMPLATES = join(import.meta.dirname, '..', '..', 'packaging', 'debian')
const DOCS = 'usr/share/doc/partner'

/** The completion scripts, by the path in a Debian package. */
const COMPLETION = {
  'usr/share/bash-completion/completions/partner': SCRIPTS.bash,
  'usr/share/zsh/vendor-completions/_partner': SCRIPTS.zsh,
  'usr/share/fish/vendor_completions.d/partner.fish': SCRIPTS.fish,
}

/** Returns the file name of a release's Debian package. */
export function debianName(version: string, architecture: string): string {
  return `partner_${version}_${architecture}.deb`
}

export function hasDpkgDeb(): boolean {
  return spawnSync('dpkg-deb', ['--version'], { stdio: 'ignore' }).status === 0
}

/** Creates a Debian package of the files in a Linux archive. Its bytes depend only on the files and on dpkg-deb. */
export function debianPackage(version: string, architecture: string, archived: readonly ArchivedFile[]): Uint8Array {
  const files = filesOfPackage(archived)
  const place = mkdtempSync(join(tmpdir(), 'partner-deb-'))
  const tree = join(place, 'tree')
  const umask = process.umask(0o022)
  try {
    for (const { path, bytes, isExecutable } of [...files, ...controlFiles(version, architecture, files)]) {
      mkdirSync(dirname(join(tree, path)), { recursive: true })
      writeFileSync(join(tree, path), bytes, { mode: isExecutable ? 0o755 : 0o644 })
    }
    mkdirSync(join(tree, 'usr/bin'))
    symlinkSync('../lib/partner/bin/partner', join(tree, 'usr/bin/partner'))
    const target = join(place, 'partner.deb')
    // Every file gets this modification time, because dpkg-deb replaces all later times with SOURCE_DATE_EPOCH.
    const env = { PATH: process.env['PATH'], LC_ALL: 'C', SOURCE_DATE_EPOCH: String(FIXED_TIME_S) }
    // Higher compression levels take several times as long but reduce the size by only a tenth.
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', tree, target], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return readFileSync(target)
  } finally {
    process.umask(umask)
    rmSync(place, { recursive: true, force: true })
  }
}

/**
 * Returns the files of a Debian package: the files of an archive, at the paths that Debian uses, and the completion
 * scripts.
 */
function filesOfPackage(archived: readonly ArchivedFile[]): ArchivedFile[] {
  const licences = ['LICENSE', LICENCES_FILE].map((name) => {
    const file = archived.find(({ path }) => path === name)
    if (file === undefined) throw new Error(`the archive does not contain ${name}`)
    return Buffer.from(file.bytes).toString('utf8')
  })
  return [
    ...archived.filter(({ path }) => path !== 'LICENSE' && path !== LICENCES_FILE).map(placeFile),
    plainFile(`${DOCS}/copyright`, licences.join('\n')),
    ...Object.entries(COMPLETION).map(([path, script]) => plainFile(path, script)),
  ]
}

function placeFile(file: ArchivedFile): ArchivedFile {
  const { path } = file
  if (/^(?:bin|lib)\//.test(path)) return { ...file, path: `usr/lib/partner/${path}` }
  if (path.startsWith('share/man/')) return compressed(file, `usr/${path}.gz`)
  return path === 'CHANGELOG.md' ? compressed(file, `${DOCS}/changelog.gz`) : { ...file, path: `${DOCS}/${path}` }
}

function controlFiles(version: string, architecture: string, files: readonly ArchivedFile[]): ArchivedFile[] {
  const template = (name: string) => readFileSync(join(TEMPLATES, name), 'utf8').replaceAll('\r\n', '\n')
  const kibibytes = files.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 1024), 0)
  const control = template('control')
    .replace('@VERSION@', version)
    .replace('@ARCHITECTURE@', architecture)
    .replace('@SIZE@', String(kibibytes))
  const sums = files.map(({ path, bytes }) => `${createHash('md5').update(bytes).digest('hex')}  ${path}\n`).sort()
  return [
    plainFile('DEBIAN/control', control),
    plainFile('DEBIAN/md5sums', sums.join('')),
    ...['postinst', 'prerm'].map((name) => ({ ...plainFile(`DEBIAN/${name}`, template(name)), isExecutable: true })),
  ]
}

function plainFile(path: string, text: string): ArchivedFile {
  return { path, bytes: Buffer.from(text), isExecutable: false }
}

function compressed({ bytes }: ArchivedFile, path: string): ArchivedFile {
  return { path, bytes: gzipSync(bytes, { level: 9, mtime: 0 }), isExecutable: false }
}
