import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { debianPackage, hasDpkgDeb } from '../../scripts/package/debian.ts'
import { type ArchivedFile, FIXED_TIME_S } from '../../scripts/package/tar.ts'
import { skipWithout } from '../support/needs.ts'
import { freshDirectory, ROOT, runProgram } from '../support/partner.ts'

const DPKG_DEB = { isMet: hasDpkgDeb(), lack: 'dpkg-deb is not installed' }

const { TZ } = process.env
const umask = process.umask()
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ']
  else process.env['TZ'] = TZ
  process.umask(umask)
})

const file = (path: string, text: string, isExecutable = false): ArchivedFile => ({
  path,
  bytes: Buffer.from(text),
  isExecutable,
})

const ARCHIVED = [
  file('bin/partner', '#!/bin/sh\n', true),
  file('lib/node', 'x'.repeat(5000), true),
  file('lib/partner/dist/partner.cjs', ''),
  file('share/man/man1/partner.1', '.TH PARTNER\n'),
  file('docs/money.md', '# Money\n'),
  file('README.md', '# partner\n'),
  file('CHANGELOG.md', '# Changelog\n'),
  file('LICENSE', 'MIT License\n'),
  file('THIRD-PARTY-LICENSES.txt', 'Node\n'),
]

test('the Debian package has its files where Debian expects them, owned by root and with fixed modes and times', async (context) => {
  skipWithout(context, DPKG_DEB)
  process.umask(0o077)
  const directory = freshDirectory()
  writeFileSync(join(directory, 'it.deb'), debianPackage('9.9.9', 'amd64', ARCHIVED))
  const run = async (program: string, ...args: string[]) =>
    (await runProgram(program, args, { cwd: directory, env: { TZ: 'UTC' } })).stdout

  const listed = (await run('dpkg-deb', '--contents', 'it.deb')).trimEnd().split('\n')
  const entries = listed.map((line) => /^(\S+) root\/root +\d+ (.{16}) \.\/(.*)$/.exec(line)?.slice(1) ?? [line])
  const time = new Date(FIXED_TIME_S * 1000).toISOString().slice(0, 16).replace('T', ' ')
  expect([...new Set(entries.map(([, at]) => at))]).toEqual([time])
  expect([...new Set(entries.flatMap(([mode, , path]) => (path?.endsWith('/') ? mode : [])))]).toEqual(['drwxr-xr-x'])
  const files = entries.filter(([mode]) => !mode?.startsWith('d')).map(([mode, , path]) => `${mode} ${path}`)
  expect(files.sort()).toEqual([
    '-rw-r--r-- usr/lib/partner/lib/partner/dist/partner.cjs',
    '-rw-r--r-- usr/share/bash-completion/completions/partner',
    '-rw-r--r-- usr/share/doc/partner/README.md',
    '-rw-r--r-- usr/share/doc/partner/changelog.gz',
    '-rw-r--r-- usr/share/doc/partner/copyright',
    '-rw-r--r-- usr/share/doc/partner/docs/money.md',
    '-rw-r--r-- usr/share/fish/vendor_completions.d/partner.fish',
    '-rw-r--r-- usr/share/man/man1/partner.1.gz',
    '-rw-r--r-- usr/share/zsh/vendor-completions/_partner',
    '-rwxr-xr-x usr/lib/partner/bin/partner',
    '-rwxr-xr-x usr/lib/partner/lib/node',
    'lrwxrwxrwx usr/bin/partner -> ../lib/partner/bin/partner',
  ])

  await run('dpkg-deb', '--raw-extract', 'it.deb', 'it')
  const text = (path: string) => readFileSync(join(directory, 'it', path), 'utf8')
  expect(text('usr/share/doc/partner/copyright')).toBe('MIT License\n\nNode\n')
  expect(text('DEBIAN/control')).toMatch(/^Package: partner\nVersion: 9\.9\.9\nArchitecture: amd64\n/)
  expect(text('DEBIAN/control')).toMatch(/^Installed-Size: 1\d$/m)
  expect(text('DEBIAN/control')).not.toMatch(/@/)
  const checked = await runProgram('md5sum', ['--check', '--quiet', 'DEBIAN/md5sums'], { cwd: join(directory, 'it') })
  expect(checked).toMatchObject({ code: 0, stdout: '' })
})

test('the bytes of a Debian package do not depend on the order of its files, the time zone or the umask', (context) => {
  skipWithout(context, DPKG_DEB)
  process.env['TZ'] = 'UTC'
  const first = debianPackage('9.9.9', 'arm64', ARCHIVED)
  process.env['TZ'] = 'Pacific/Chatham'
  process.umask(0o077)
  const second = debianPackage('9.9.9', 'arm64', [...ARCHIVED].reverse())
  expect(Buffer.from(second).equals(Buffer.from(first))).toBe(true)
})

test('the Debian package requires the library versions that its Node was linked with', (context) => {
  const isMet = process.platform === 'linux'
  skipWithout(context, { isMet, lack: 'Node uses other libraries on other systems' })
  const node = readFileSync(join(ROOT, 'node_modules', '.bin', 'node'), 'latin1')
  const newest = (library: string) =>
    Math.max(...[...node.matchAll(new RegExp(`\\b${library}\\.(\\d+)\\0`, 'g'))].map(([, minor]) => Number(minor)))
  const control = readFileSync(join(ROOT, 'packaging', 'debian', 'control'), 'utf8')
  expect(control).toContain(`libc6 (>= 2.${newest('GLIBC_2')})`)
  // Node needs CXXABI_1.3.11, which libstdc++ has had since GCC 7.
  expect(control).toContain('libstdc++6 (>= 7)')
  expect([newest('CXXABI_1.3'), newest('GLIBCXX_3.4')]).toEqual([11, 21])
})
