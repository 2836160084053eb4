import { mkdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { freshHome, NODE, PARTNER, runPartner, runProgram, runShell } from '../../support/partner.ts'
import { startRawServer } from '../../support/raw-server.ts'
import { expectClean, expectRefusal, reportedError } from '../../support/refusal.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { FULL_DEVICE } from '../../support/small-disk.ts'
import { words } from '../../support/words.ts'

const sandbox = await startSharedSandbox()
const MANY_LINE = 'bookings list --from -40d --to +40d --include-customer'

describe('output to a reader that exits early', () => {
  test.each(['ndjson', 'json', 'csv', 'table'])('output with -o %s stops when head closes the pipe', async (format) => {
    const script = `partner ${MANY_LINE} -o ${format} | head -n 1; echo $PIPESTATUS >&2`
    const { stdout, stderr } = await runShell(script, { env: sandbox.env })
    expect(stdout.split('\n')).toHaveLength(2)
    // The exit code is 0 if the whole list fitted into the pipe before head exited.
    expect(stderr).toMatch(/^(13|0)\n$/)
  })

  test('a list command that reads many pages ends when head closes the pipe', async () => {
    const home = freshHome()
    mkdirSync(home.PARTNER_DATA_DIR, { recursive: true })
    const script = 'partner customers list --profile sandbox -o ndjson --page-size 5 | head -1'
    const done = await runShell(script, { env: home })
    expect(done.stdout.split('\n')).toHaveLength(2)
  })

  test('a command that receives an endless response exits with code 13 when head closes the pipe', async () => {
    const record = JSON.stringify({ bookingId: 'BK-1', notes: 'x'.repeat(1000) })
    const server = await startRawServer([
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"bookings":[')
        const more = () => {
          while (socket.writable && socket.write(`${record},`.repeat(20)));
        }
        socket.on('drain', more)
        more()
      },
    ])
    const script = 'partner bookings list --from today -o ndjson | head -n 3; echo $PIPESTATUS >&2'
    const { stdout, stderr } = await runShell(script, { env: server.env })
    expect([stdout, stderr]).toEqual([`${record}\n`.repeat(3), '13\n'])
  })
})

describe('output to a full disk', () => {
  needs(FULL_DEVICE)

  test.each([
    MANY_LINE,
    'bookings statuses --json',
    'bookings statuses',
    'profiles list --json',
    'sandbox start --data :memory:',
  ])('partner prints one error line if the disk is full: partner %s', async (line) => {
    const run = await runShell(`partner ${line} > /dev/full`, { env: { ...freshHome(), ...sandbox.env } })
    expect([1, 13]).toContain(run.code)
    expect(run.stderr).toMatch(/cannot write to stdout: no space left on the device/)
    expect(run.stderr.match(/error:|"error":/g)).toHaveLength(1)
    expectClean(run)
  })

  test('api POST reports that the change was made even if its output goes to a full disk', async () => {
    const line = `api POST /Webhooks --data '{"event":"BOOKING_CREATED","webhookUrl":"https://pos.example"}' --json > /dev/full`
    const run = await runShell(`partner ${line}`, { env: { ...freshHome(), ...sandbox.env } })
    expect(reportedError(run)).toMatchObject({ exitCode: 1, outcome: 'applied' })
    expect(run.stderr).toContain('the change was made, but its response could not be printed')
  })

  test.each(['--version', '--help', 'bookings list --help'])(
    'partner %s reports that the disk is full',
    async (line) => {
      const run = await runShell(`partner ${line} > /dev/full`)
      expect(run).toMatchObject({ code: 1, stderr: 'error: cannot write to stdout (ENOSPC)\n' })
    },
  )
})

test.each(['--help', '--version', 'giftcards redeem --help'])(
  'partner %s prints no error if the reader has exited',
  async (line) => {
    const { stderr } = await runShell(`partner ${line} | true; echo $PIPESTATUS >&2`)
    expect(stderr).toBe('0\n')
  },
)

describe('escape codes in piped output', () => {
  test.each([{}, { NO_COLOR: '1' }, { TERM: 'dumb' }, { TERM: 'xterm-256color', COLORTERM: 'truecolor' }])(
    'with the environment %j, piped output has no escape codes',
    async (more) => {
      const env = { ...sandbox.env, ...more }
      for (const line of [MANY_LINE, 'giftcards get GIFT1-00000100-AAAA', 'bookings statuses -v', 'bookings get'])
        expectClean(await runPartner(words(line), { env }))
    },
  )

  test('FORCE_COLOR turns on colours for piped errors', async () => {
    expect((await runPartner(['bookings', 'get'], { env: { FORCE_COLOR: '1' } })).stderr).toMatch(/\u001b\[31merror:/)
  })
})

describe('running without a terminal', () => {
  test('partner can read from the sandbox with an empty environment', async () => {
    const run = await runProgram('env', [
      ...['-i', ...Object.entries(freshHome()).map(([name, value]) => `${name}=${value}`)],
      ...[NODE, PARTNER],
      ...words('bookings list --from today -o ndjson --profile sandbox'),
    ])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    for (const line of run.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('bookingId')
  })

  test('a command whose standard input is closed does not wait for input', async () => {
    const run = await runShell('partner bookings statuses --json <&-', { env: sandbox.env })
    expect(run).toMatchObject({ code: 0, stderr: '' })
  })

  test("a command inside a shell loop does not consume the loop's input", async () => {
    const body = 'partner bookings statuses -o csv > /dev/null; echo "$line"'
    const script = `printf "a\\nb\\nc\\n" | while read -r line; do ${body}; done`
    expect(await runShell(script, { env: sandbox.env })).toMatchObject({ code: 0, stdout: 'a\nb\nc\n', stderr: '' })
  })
})

test('COLUMNS does not affect a piped usage error', async () => {
  const run = await runPartner(['bookings', 'list', '--to', 'today'], { env: { COLUMNS: '20' } })
  expectRefusal(run, { code: 2, says: '--to needs --from' })
})
