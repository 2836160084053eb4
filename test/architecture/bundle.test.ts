import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIST } from '../support/distribution.ts'
import { freshDirectory, freshHome, NODE, runProgram } from '../support/partner.ts'

test('the tool is one bundle, and three packages that few commands need', () => {
  const scripts = (directory: string) =>
    readdirSync(directory)
      .filter((file) => /\.[cm]?js$/.test(file))
      .sort()
  expect(scripts(DIST)).toEqual(['partner.cjs'])
  expect(scripts(join(DIST, 'vendor'))).toEqual(['conf.cjs', 'inquirer.cjs', 'zod.cjs'])
})

test('the bundle is ASCII, as the launcher reads it as latin1', () => {
  const files = ['partner.cjs', ...readdirSync(join(DIST, 'vendor')).map((file) => join('vendor', file))]
  const others = files.flatMap((file) => readFileSync(join(DIST, file), 'utf8').match(/[^\0-\x7f]/g) ?? [])
  // esbuild leaves this one in a regular expression of ansis that takes escape codes away; there it does no harm.
  expect(others.filter((character) => character !== '\u009b')).toEqual([])
})

test('nothing is imported natively, where Node would warn and start its module loader', () => {
  expect(readFileSync(join(DIST, 'partner.cjs'), 'utf8')).not.toMatch(/(?<![.\w$])import\((?!\))/)
})

test('what is required and not in a bundle is Node’s own, or beside it', () => {
  for (const file of ['partner.cjs', 'vendor/conf.cjs', 'vendor/inquirer.cjs', 'vendor/zod.cjs']) {
    const required = [...readFileSync(join(DIST, file), 'utf8').matchAll(/(?<![.\w$])require\("([^"]+)"\)/g)].map(
      ([, id]) => id ?? '',
    )
    // oclif looks for these when it runs from source, which a bundle does not; ajv writes its own into code that it could print.
    const elsewhere = required.filter(
      (id) => !isBuiltin(id) && !/^\.\/vendor\/\w+\.cjs$|^(typescript|ts-node|tsx)$|^ajv(-formats)?\/dist\//.test(id),
    )
    expect([...new Set(elsewhere)], file).toEqual([])
  }
})

test('it runs where there is nothing but what the package ships', async () => {
  const place = freshDirectory()
  for (const part of ['bin', 'dist']) cpSync(join(DIST, '..', part), join(place, part), { recursive: true })
  const run = (...args: string[]) =>
    runProgram(NODE, [join(place, 'bin', 'run.js'), ...args], { env: freshHome(), cwd: place })
  expect(await run('--version')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('bookings', 'list', '--from', 'today', '--profile', 'sandbox', '-o', 'ndjson')).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(await run('profiles', 'add', 'dev', '--base-url', 'https://dev.example', '--api-key', 'env:K')).toMatchObject({
    code: 0,
  })
  expect(await run('reservations', 'create', '--profile', 'sandbox')).toMatchObject({ code: 2 })
})
