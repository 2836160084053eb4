import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NODE, ROOT } from './partner.ts'

/**
 * Type-checks the `src` folder in a directory with the project's settings. Returns the compiler's errors. Uses one
 * thread, because several threads would repeat part of the work.
 */
export function compile(directory: string): string {
  for (const file of ['package.json', 'node_modules']) symlinkSync(join(ROOT, file), join(directory, file))
  const config = { extends: join(ROOT, 'tsconfig.json'), include: [join(directory, 'src')] }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config))
  const typescript = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  return spawnSync(NODE, [typescript, '--singleThreaded', '--project', directory], {
    encoding: 'utf8',
    timeout: 120_000,
  }).stdout
}
