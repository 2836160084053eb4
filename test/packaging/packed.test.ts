import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, runProgram } from '../support/partner.ts'

test('npm packs all files that are needed to run, but no code cache and no launcher for the source', async () => {
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

test('the package has no dependencies', () => {
  const described = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'])
    expect(described).not.toHaveProperty(kind)
})
