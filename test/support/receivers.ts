import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { LIMIT_MS } from './limit.ts'
import type { Need } from './needs.ts'
import { freshDirectory, NODE, ROOT, type Running, startProgram } from './partner.ts'
import { until } from './until.ts'

const FOLDER = join(ROOT, 'docs', 'receivers')

/** The secret key that the receivers expect in each delivery. */
export const WEBHOOK_KEY = 'webhook-key-of-this-test'

/** The requirement that Python can run the example receiver. */
export const PYTHON: Need = {
  isMet:
    spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'], {
      stdio: 'ignore',
      timeout: LIMIT_MS,
    }).status === 0,
  lack: 'python3 3.10 or later is not installed',
}

/** A receiver that runs until the test ends. */
export interface StartedReceiver extends Pick<Running, 'said'> {
  readonly url: URL
}

/** A line in docs/receivers/node.mjs and its faulty replacement. */
export interface Mistake {
  readonly line: string
  readonly replacement: string
}

/** Starts the receiver in docs/receivers/node.mjs, optionally with a mistake in it. */
export function startNodeReceiver(mistake?: Mistake, key = WEBHOOK_KEY): Promise<StartedReceiver> {
  const path = join(FOLDER, 'node.mjs')
  if (!mistake) return startReceiver(NODE, path, key)
  const text = readFileSync(path, 'utf8')
  const { line, replacement: instead } = mistake
  if (text.split(line).length !== 2) throw new Error(`node.mjs does not contain this line exactly once: ${line}`)
  const spoilt = join(freshDirectory(), 'spoilt.mjs')
  const changed = text.replace(line, () => instead)
  writeFileSync(spoilt, changed)
  return startReceiver(NODE, spoilt, key)
}

/** Starts the receiver in docs/receivers/python.py. */
export function startPythonReceiver(): Promise<StartedReceiver> {
  return startReceiver('python3', join(FOLDER, 'python.py'), WEBHOOK_KEY)
}

async function startReceiver(program: string, path: string, key: string): Promise<StartedReceiver> {
  const running = startProgram(program, [path, '0'], { env: { WEBHOOK_KEY: key }, isService: true })
  onTestFinished(async () => {
    running.process.kill('SIGKILL')
    await running.ended
  })
  let isOver = false
  running.process.once('exit', () => {
    isOver = true
  })
  await until(() => isOver || /listening on .*\n/.test(running.said.stdout))
  const address = /listening on (.*)\n/.exec(running.said.stdout)?.[1]
  if (address === undefined) throw new Error(`the receiver did not start: ${running.said.stderr}`)
  return { url: new URL('hooks?venue=1', address), said: running.said }
}
