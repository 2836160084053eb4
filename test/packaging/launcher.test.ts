import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { freshDirectory, ROOT, type Run, runProgram } from '../support/partner.ts'

/**
 * Creates an unpacked archive and a directory for symbolic links to its launcher. Instead of Node, the archive contains
 * a script that prints its arguments.
 */
function unpacked() {
  const place = join(freshDirectory(), 'a place with spaces')
  const home = join(place, 'partner-9.9.9')
  for (const folder of [join(home, 'bin'), join(home, 'lib', 'partner'), join(place, 'links')])
    mkdirSync(folder, { recursive: true })
  const tool = join(home, 'bin', 'partner')
  cpSync(join(ROOT, 'packaging', 'launcher', 'partner'), tool)
  writeFileSync(join(home, 'lib', 'node'), '#!/bin/sh\nfor word; do echo "[$word]"; done\nexit 7\n', { mode: 0o755 })
  return { place, home, tool }
}

const run = (program: string, args: readonly string[], cwd?: string): Promise<Run> =>
  runProgram(program, args, { cwd, env: { PATH: '/nonexistent' } })

const words = ({ stdout }: Run): string[] => stdout.split('\n').slice(1, -1)

test("even without a PATH, the launcher passes its arguments to its own Node and returns Node's exit code", async () => {
  const { tool } = unpacked()
  const done = await run(tool, ['a b', '', '*', '--flag=$x', "it's"])
  expect(done).toMatchObject({ code: 7, stderr: '' })
  expect(words(done)).toEqual(['[a b]', '[]', '[*]', '[--flag=$x]', "[it's]"])
  expect(done.stdout).toMatch(/^\[.*\/partner-9\.9\.9\/bin\/\.\.\/lib\/partner\/bin\/run\.js\]\n/)
})

test('the launcher works through absolute, relative and chained symbolic links from any directory', async () => {
  const { place, tool } = unpacked()
  const links = join(place, 'links')
  symlinkSync(tool, join(links, 'whole'))
  symlinkSync(relative(links, tool), join(links, 'relative'))
  symlinkSync('relative', join(links, '-again'))
  symlinkSync(join('links', '-again'), join(place, 'from-above'))
  for (const link of ['links/whole', 'links/relative', 'links/-again', 'from-above']) {
    expect(words(await run(join(place, link), ['x'], '/')), link).toEqual(['[x]'])
    expect(words(await run(`./${link}`, ['x'], place)), link).toEqual(['[x]'])
  }
})

test('sh can run the launcher by its bare file name in its own directory', async () => {
  const { home } = unpacked()
  expect(words(await run('/bin/sh', ['partner', 'x'], join(home, 'bin')))).toEqual(['[x]'])
})
