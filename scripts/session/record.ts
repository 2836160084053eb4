import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LINES } from './lines.ts'
import { screenLines } from './screen.ts'
import { svgOf } from './svg.ts'

// Records the session at the top of the README. Run it with `npm run session`. Types each line in a real terminal (using
// script(1) from util-linux) with a new sandbox and saves the output as an asciicast and as a picture.

const WIDTH = 100
const HEIGHT = 40
const KEY_SECONDS = 0.035
const THINK_SECONDS = 0.4
const READ_SECONDS = 2

const root = join(import.meta.dirname, '..', '..')
const home = mkdtempSync(join(tmpdir(), 'partner-session-'))
const bin = join(home, 'bin')
mkdirSync(bin)
writeFileSync(join(bin, 'partner'), `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin', 'run.js')}" "$@"\n`)
chmodSync(join(bin, 'partner'), 0o755)

/** Types a line in a terminal and returns its output. Fails if the exit code is not 0. */
function typed(line: string): string {
  const { status, stdout } = spawnSync('script', ['-qec', `stty cols ${WIDTH} rows ${HEIGHT}; ${line}`, '/dev/null'], {
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      PARTNER_PROFILE: 'sandbox',
    },
    encoding: 'utf8',
    timeout: 60_000,
  })
  if (status !== 0) throw new Error(`${line} ended with ${status}: ${stdout}`)
  return stdout
}

const events: [number, 'o', string][] = []
let at = 0
const say = (seconds: number, text: string) => {
  at += seconds
  events.push([Number(at.toFixed(3)), 'o', text])
}
try {
  typed('partner bookings statuses')
  for (const line of LINES) {
    say(THINK_SECONDS, '\u001b[1m$\u001b[22m ')
    for (const letter of line) say(KEY_SECONDS, letter === '\n' ? '\r\n' : letter)
    say(THINK_SECONDS, '\r\n')
    say(THINK_SECONDS, typed(line))
    say(READ_SECONDS, '\r\n')
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

const folder = join(root, 'docs', 'session')
mkdirSync(folder, { recursive: true })
const header = { version: 2, width: WIDTH, height: HEIGHT, title: 'partner, on its sandbox' }
writeFileSync(join(folder, 'partner.cast'), [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join(''))
const lines = screenLines(events.map(([, , text]) => text).join(''))
writeFileSync(join(folder, 'partner.svg'), svgOf(lines, WIDTH))
