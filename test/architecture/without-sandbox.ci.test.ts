import { cpSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requireSandbox } from '../../src/client/built-in-sandbox.ts'
import { sandbox } from '../../src/features/sandbox/profile.ts'
import type { Host } from '../../src/terminal/runtime/host.ts'
import { compile } from '../support/compile.ts'
import { freshDirectory, ROOT } from '../support/partner.ts'
import { words } from '../support/words.ts'

/** All sandbox files: the service itself, its commands, and code that nothing else uses. */
const OF_THE_SANDBOX = words(
  'src/sandbox src/studio src/features/sandbox src/commands/sandbox src/commands/certify src/commands/certify.ts',
)

test('the client compiles without the source code of the sandbox', () => {
  const place = freshDirectory()
  cpSync(join(ROOT, 'src'), join(place, 'src'), { recursive: true })
  for (const file of globSync(OF_THE_SANDBOX, { cwd: place })) rmSync(join(place, file), { recursive: true })
  expect(compile(place)).toBe('')
}, 240_000)

test('a build without the sandbox reports that the sandbox is missing if the sandbox profile is used', () => {
  const host = { sandbox: null } as Host
  expect(() => requireSandbox(host)).toThrow('this build of partner does not include the sandbox')
  expect(requireSandbox({ ...host, sandbox })).toBe(sandbox)
})
