import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { tarball, zip } from '../../scripts/package/archive.ts'
import { type ArchivedFile, FIXED_TIME_S, tar, untar } from '../../scripts/package/tar.ts'
import { freshDirectory, runProgram } from '../support/partner.ts'

const { TZ } = process.env
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ']
  else process.env['TZ'] = TZ
})

const file = (path: string, text: string, isExecutable = false): ArchivedFile => ({
  path,
  bytes: Buffer.from(text),
  isExecutable,
})

const LONG = `${'a-folder-of-some-length/'.repeat(5)}a-file.txt`
const FILES = [
  file('p/bin/run', '#!/bin/sh\n', true),
  file('p/B.md', 'B'),
  file('p/a.md', 'x'.repeat(512)),
  file(LONG, ''),
]

test.each([
  ['tarball', tarball],
  ['zip', zip],
])('the bytes of a %s do not depend on the order of its files, the time zone or the current time', (_name, archive) => {
  process.env['TZ'] = 'UTC'
  const first = archive(FILES)
  process.env['TZ'] = 'Pacific/Chatham'
  expect(Buffer.from(archive([...FILES].reverse())).equals(Buffer.from(first))).toBe(true)
})

test('the tar module can read back the files that it wrote, sorted by path', () => {
  const paths = [LONG, 'p/B.md', 'p/a.md', 'p/bin/run']
  const out = untar(gunzipSync(tarball(FILES)))
  expect(out.map(({ path }) => path)).toEqual(paths)
  for (const { path, bytes, isExecutable } of out) {
    const put = FILES.find((one) => one.path === path)
    expect(Buffer.from(bytes).equals(Buffer.from(put?.bytes ?? [])), path).toBe(true)
    expect(isExecutable).toBe(put?.isExecutable)
  }
})

test('the tar program extracts an archive with the right contents, modes and modification time', async () => {
  const directory = freshDirectory()
  writeFileSync(join(directory, 'it.tar'), tar(FILES))
  utimesSync(directory, 0, 0)
  expect(await runProgram('tar', ['-xf', 'it.tar'], { cwd: directory })).toMatchObject({ code: 0, stderr: '' })
  const seen = (path: string) => {
    const { mode, mtimeMs, size } = statSync(join(directory, path))
    return [mode & 0o777, mtimeMs / 1000, size]
  }
  expect(seen('p/bin/run')).toEqual([0o755, FIXED_TIME_S, 10])
  expect(seen('p/a.md')).toEqual([0o644, FIXED_TIME_S, 512])
  expect(seen(LONG)).toEqual([0o644, FIXED_TIME_S, 0])
})

test('the tar module rejects truncated archives and paths that are too long', () => {
  expect(() => tar([file(`p/${'x'.repeat(101)}`, '')])).toThrow('the path is too long for a tar archive')
  expect(() => untar(tar(FILES).subarray(0, 700))).toThrow('the archive is truncated')
})
