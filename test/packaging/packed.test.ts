import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, runProgram } from '../support/partner.ts'

test('the npm package contains all files needed at run time, but no code cache, sources or bin/dev.js', async () => {
  const { stdout } = await runProgram('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT })
  const parsed = JSON.parse(stdout) as unknown
  const [packed] = Object.values(parsed as Record<string, { readonly files: readonly { readonly path: string }[] }>)
  const paths = packed?.files.map(({ path }) => path) ?? []
  expect(paths).toEqual(
    expect.arrayContaining([
      'bin/run.js',
      'bin/package.json',
      'dist/partner.cjs',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/assets/page.css',
      'dist/assets/start.js',
      'LICENSE',
    ]),
  )
  expect(paths.filter((path) => /^dist\/code-cache|^src\/|^test\/|dev\.js$/.test(path))).toEqual([])
})

test('the npm package has no dependencies', () => {
  const described = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'])
    expect(described).not.toHaveProperty(kind)
})
