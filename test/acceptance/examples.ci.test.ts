import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isVenueOpen } from '../support/dates.ts'
import { helpPages } from '../support/distribution.ts'
import { skipWithout } from '../support/needs.ts'
import {
  freshDirectory,
  ROOT,
  runPartner,
  runProgram,
  startProgram,
  TOOL_IN_SHELL,
  tryWithoutShell,
} from '../support/partner.ts'
import { startSandboxProcess } from '../support/sandbox-process.ts'
import { until } from '../support/until.ts'

// These tests run every example on the help pages exactly as pasted, against a sandbox. Examples must work on any date.

/** Examples that run until they are interrupted. */
const ENDLESS = /^partner (?:sandbox start|webhooks listen)\b|--follow\b|--every\b.*--wake\b/

/** Examples that need a running sandbox. */
const NEEDS_RUNNING = /\bsandbox env\b/

/** Returns the lines in a page's `sh` blocks that run partner and need no service except the sandbox. */
function linesOf(page: string): { readonly page: string; readonly line: string }[] {
  return [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = '']) =>
      block
        .replace(/\\\n\s*/g, '')
        .replace(/\|\n\s*/g, '| ')
        .split('\n'),
    )
    .filter((line) => line.startsWith('partner ') && !/^partner profiles |\bproduction\b|hc\.example/.test(line))
    .map((line) => ({ page, line }))
}

const HELP = helpPages().flatMap(({ words, text }) =>
  [...text.matchAll(/^ {2}\$ (.*)$/gm)]
    .map(([, line = '']) => ({ page: `partner ${words} --help`.replace('  ', ' '), line }))
    // Usage lines contain placeholders such as COMMAND and [FLAGS].
    .filter(({ line }) => !/\b[A-Z]{4,} ?COMMAND\b|COMMAND$|\[[A-Z ]*FLAGS\]|\bURL$/.test(line))
    // These examples need the user's own database.
    .filter(({ line }) => !line.includes('postgres://'))
    // An approval needs a prepared order and a terminal. approve.test.ts tests this example.
    .filter(({ line }) => !line.startsWith('partner operations approve')),
)

const EXAMPLES = [...HELP, ...linesOf('docs/output.md'), ...linesOf('docs/cron.md')]

/** A directory that contains partner and a venue. Each example gets its own copy of the venue. */
const shared = mkdtempSync(join(tmpdir(), 'partner-examples-'))
afterAll(() => rmSync(shared, { recursive: true, force: true }))

beforeAll(async () => {
  mkdirSync(join(shared, 'bin'))
  writeFileSync(join(shared, 'bin', 'partner'), `#!/bin/sh\nexec ${TOOL_IN_SHELL} "$@"\n`, { mode: 0o755 })
  const env = { PARTNER_PROFILE: 'sandbox', PARTNER_DATA_DIR: join(shared, 'data') }
  expect(await runPartner(['bookings', 'statuses'], { env })).toMatchObject({ code: 0 })
})

/** Creates a home directory with an unchanged copy of the shared venue. */
function freshVenue() {
  const directory = freshDirectory()
  cpSync(join(shared, 'data'), join(directory, 'data'), { recursive: true })
  for (const name of ['work', 'tmp']) mkdirSync(join(directory, name))
  return {
    cwd: join(directory, 'work'),
    env: {
      PATH: `${join(shared, 'bin')}:${process.env['PATH'] ?? ''}`,
      // A separate directory, so that partner does not find the tokens of other sandboxes.
      TMPDIR: join(directory, 'tmp'),
      PARTNER_PROFILE: 'sandbox',
      PARTNER_CONFIG_DIR: join(directory, 'config'),
      PARTNER_DATA_DIR: join(directory, 'data'),
      PARTNER_CACHE_DIR: join(directory, 'cache'),
    },
  }
}

function isAboutTomorrow(line: string): boolean {
  return /(?:reservations (?:create|explain)|bookings update) .*tomorrow/.test(line)
}

describe('examples from the help pages', () => {
  test.for(EXAMPLES.filter(({ line }) => !ENDLESS.test(line)))('$page: $line', async ({ line }, context) => {
    skipWithout(context, { isMet: !isAboutTomorrow(line) || isVenueOpen(1), lack: 'the house is closed tomorrow' })
    const venue = freshVenue()
    const sandbox = NEEDS_RUNNING.test(line) ? await startSandboxProcess([], venue.env) : null
    const run = await (tryWithoutShell(line, venue) ?? runProgram('bash', ['-o', 'pipefail', '-c', line], venue))
    await sandbox?.stop()
    expect(run.code, run.stderr).toBe(0)
    expect(run.stderr).not.toMatch(/^(?:error|warning): |^\{"error"/m)
  })

  test.each(EXAMPLES.filter(({ line }) => ENDLESS.test(line)))('$page: $line runs until Ctrl-C', async ({ line }) => {
    const running = startProgram('bash', ['-c', `exec ${line}`], freshVenue())
    await until(() => running.said.stdout !== '' || /listening on| new, /.test(running.said.stderr))
    process.kill(-(running.process.pid ?? 0), 'SIGINT')
    expect((await running.ended).code, running.said.stderr).toBe(/ sync /.test(line) ? 130 : 0)
  })
})

test('more than 50 help pages contain an example', () =>
  expect(new Set(EXAMPLES.map(({ page }) => page)).size).toBeGreaterThan(50))
