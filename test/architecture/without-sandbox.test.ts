import { spawnSync } from 'node:child_process'
import { cpSync, globSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host } from '../../src/cli/runtime/host.ts'
import { innerService } from '../../src/client/inner-service.ts'
import { sandbox } from '../../src/commands/sandbox/_profile.ts'
import { freshDirectory, NODE, ROOT } from '../support/partner.ts'

/** All that there is of the sandbox: the service, its commands, and what serves these alone. */
const OF_THE_SANDBOX = ['src/sandbox', 'src/commands/sandbox', 'src/views/sandbox']

test('without the sandbox there is still a client that compiles', () => {
  const place = freshDirectory()
  cpSync(join(ROOT, 'src'), join(place, 'src'), { recursive: true })
  for (const file of globSync(OF_THE_SANDBOX, { cwd: place })) rmSync(join(place, file), { recursive: true })
  for (const file of ['package.json', 'node_modules']) symlinkSync(join(ROOT, file), join(place, file))
  writeFileSync(
    join(place, 'tsconfig.json'),
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: [join(place, 'src')] }),
  )
  const typescript = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = spawnSync(NODE, [typescript, '--project', place], { encoding: 'utf8', timeout: 120_000 })
  expect(stdout).toBe('')
}, 150_000)

test('a client without the sandbox says so when it is asked for', () => {
  const host = { sandbox: null } as Host
  expect(() => innerService(host)).toThrow('this partner was built without the sandbox')
  expect(innerService({ ...host, sandbox })).toBe(sandbox)
})
