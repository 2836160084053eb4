import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { freshDirectory, freshHome, NODE, ROOT, runProgram } from '../support/partner.ts'
import { WINDOWS } from '../support/windows.ts'

needs(WINDOWS)

const [, BATCH = ''] = /^```bat\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'docs', 'windows.md'), 'utf8')) ?? []

/** Adds a line that prints `came back` to a batch file and runs the file in cmd.exe. */
function runBatch(text: string) {
  const cwd = freshDirectory()
  writeFileSync(join(cwd, 'sync.cmd'), `@echo off\r\n${text.replaceAll('\n', '\r\n')}echo came back\r\n`)
  const start = "require('node:child_process').spawnSync('cmd.exe', ['/d', '/c', 'sync.cmd'], { stdio: 'inherit' })"
  return runProgram(NODE, ['-e', start], { cwd, env: freshHome() })
}

test('the batch file in docs/windows.md continues after partner exits, and prints nothing if the sync succeeds', async () => {
  expect(BATCH).toContain('call partner')
  const { stdout } = await runBatch(BATCH)
  expect(stdout.trim()).toBe('came back')
})

test('the batch file in docs/windows.md reports a failed sync', async () => {
  const { stdout } = await runBatch(BATCH.replace('--profile sandbox', '--profile nobody'))
  // The exit code is 4, but Wine's cmd.exe reports 1 after `call`.
  expect(stdout).toMatch(/^The sync ended with [14]\.\s+came back\s*$/)
})
