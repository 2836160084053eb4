import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { freshDirectory, type Run, runPartner } from '../support/partner.ts'
import { type Act, answers, type RawRequest, type RawServer, startRawServer } from '../support/raw-server.ts'
import { runLineInTerminal, shellLine, TERMINAL } from '../support/terminal.ts'

const KEY = 'sk_live_9d41c7+e2/aa'
const SIGNING = 'signing-secret-22fa81'
const HIDDEN = '••••'

/** The key with every character written as a JSON escape. */
const ESCAPED = [...KEY].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const PERCENTS = [...KEY].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')

const BOOKING =
  `{"bookingId":"BK-1","notes":"key ${KEY}","people":2,"lastModifiedDate":"2026-11-20T10:00:00Z","bookingTime":"2026-11-20T18:00:00",
 "customer":{"firstName":"${ESCAPED}","lastName":"of ${SIGNING}","email":"${encodeURIComponent(KEY)}"},
 "tags":[{"tagType":"a","name":"x${PERCENTS}"}],"extra":{"${KEY}":"s\\u006b_live_9d41c7\\u002be2\\/aa"}}`.replaceAll(
    '\n',
    '',
  )
const LIST = `{"count":1,"bookings":[${BOOKING}]}`

/** Responds in chunks that are shorter than the key, so that no chunk contains the whole key. */
function answerInChunks({ method, target }: RawRequest): Act {
  const body = target.startsWith('/Bookings/') ? BOOKING : LIST
  return (socket) => {
    socket.setNoDelay(true)
    const headers = `content-type: application/json\r\nx-echo: ${KEY}\r\ntransfer-encoding: chunked`
    socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`)
    const bytes = Buffer.from(method === 'GET' ? body : `"${KEY}"`)
    let at = 0
    const next = () => {
      const piece = bytes.subarray(at, at + 13)
      at += piece.length
      socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`, () => {
        if (at < bytes.length) setImmediate(next)
        else socket.write('0\r\n\r\n')
      })
    }
    next()
  }
}

/** Decodes all escapes in text and appends a copy of the result without whitespace or table borders. */
function decodeEscapes(text: string): string {
  const unescaped = (_all: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))
  const plain = text
    .replace(/\\+u([0-9a-f]{4})/gi, unescaped)
    .replace(/%([0-9a-f]{2})/gi, unescaped)
    .replace(/\\\//g, '/')
  return plain + plain.replace(/[\s│|]+/g, '')
}

function expectHidden({ stdout, stderr }: Pick<Run, 'stdout' | 'stderr'>, where: string): void {
  for (const secret of [KEY, SIGNING]) {
    expect(decodeEscapes(stdout), `stdout of ${where}`).not.toContain(secret)
    expect(decodeEscapes(stderr), `stderr of ${where}`).not.toContain(secret)
  }
}

function envOf({ baseUrl }: RawServer, home = freshDirectory()) {
  return {
    PARTNER_CONFIG_DIR: join(home, 'config'),
    PARTNER_DATA_DIR: join(home, 'data'),
    PARTNER_CACHE_DIR: join(home, 'cache'),
    PARTNER_BASE_URL: baseUrl,
    PARTNER_API_KEY: KEY,
    PARTNER_SIGNING_SECRET: SIGNING,
  }
}

const LISTED = ['bookings', 'list', '--updated-from', '-1d', '--include-customer']
const SHOWN = ['bookings', 'get', 'BK-1']

describe('responses that contain the API key and the signing secret', () => {
  test.each([
    ['a table', [...LISTED]],
    ['JSON', [...LISTED, '--json']],
    ['NDJSON', [...LISTED, '-o', 'ndjson']],
    ['CSV', [...LISTED, '-o', 'csv']],
    ['TSV', [...LISTED, '-o', 'tsv']],
    ['selected columns', [...LISTED, '--columns', 'notes,customer.firstName,extra']],
    ['the result of a query', [...LISTED, '--query', '[].[notes, customer.firstName, tags[0].name]']],
    ['the raw result of a query', [...LISTED, '--query', '[].customer.firstName', '--raw']],
    ['a single record', [...SHOWN]],
    ['a single record as JSON', [...SHOWN, '--json']],
    ['a raw response', ['api', 'GET', '/Bookings/BK-1', '--include']],
    ['a raw list', ['api', 'GET', '/Bookings']],
    ['a raw response to a write', ['api', 'PATCH', '/Bookings/BK-1/updatepax', '--data', '{"pax":2}', '-v']],
    ['the output of --verbose', [...LISTED, '-v', '-o', 'ndjson']],
  ])('partner hides the secrets in a response when it prints %s, and warns once', async (what, args) => {
    const run = await runPartner(args, { env: envOf(await startRawServer(answerInChunks)) })
    expect(run).toMatchObject({ code: 0 })
    expectHidden(run, what)
    expect(run.stdout).toContain(HIDDEN)
    expect(run.stderr.match(/contains a secret, such as/g)).toHaveLength(1)
  })

  test("partner hides secrets in the service's text even if a table wraps on a narrow terminal", async () => {
    needs(TERMINAL)
    const server = await startRawServer(answerInChunks)
    for (const columns of [24, 60]) {
      const line = `stty cols ${columns}; ${shellLine(LISTED)}; ${shellLine(SHOWN)}`
      const { screen } = await runLineInTerminal(line, [], envOf(server))
      expectHidden({ stdout: screen, stderr: '' }, `a terminal of ${columns} columns`)
      expect(screen).toContain(HIDDEN)
    }
  })

  test("partner hides secrets in the service's text without changing other values or breaking the JSON", async () => {
    const server = await startRawServer(answerInChunks)
    expect(JSON.parse((await runPartner([...SHOWN, '--json'], { env: envOf(server) })).stdout)).toMatchObject({
      bookingId: 'BK-1',
      notes: `key ${HIDDEN}`,
      people: 2,
      customer: { firstName: HIDDEN, lastName: `of ${HIDDEN}`, email: HIDDEN },
      tags: [{ tagType: 'a', name: `x${HIDDEN}` }],
      extra: { [HIDDEN]: HIDDEN },
    })
  })

  test('partner hides secrets in the message, details and headers of an error', async () => {
    const body = `{"message":"no ${ESCAPED}","errors":{"a":["${PERCENTS}"]},"detail":"${KEY}"}`
    const act = answers(400, body, { 'content-type': 'application/json', 'x-echo': KEY })
    const server = await startRawServer(() => act)
    for (const more of [[], ['--json'], ['-v']]) {
      const run = await runPartner([...SHOWN, ...more], { env: envOf(server) })
      expect(run).toMatchObject({ code: 5, stdout: '' })
      expectHidden(run, more.join(''))
      expect(run.stderr).toContain(HIDDEN)
    }
    expectHidden(await runPartner(['api', 'GET', '/x', '--include'], { env: envOf(server) }), 'api --include')
  })

  test('partner writes no secret from a response to a HAR file, a local copy or any other file', async () => {
    const server = await startRawServer(answerInChunks)
    const home = freshDirectory()
    const env = envOf(server, home)
    const copies = ['copy.ndjson', 'copy.csv', 'copy.db']
    for (const copy of copies) {
      const sync = ['bookings', 'sync', '--to', join(home, copy), '--since', '2026-11-01', '--source', 'here']
      const run = await runPartner(sync, { env })
      expect(run).toMatchObject({ code: 0 })
      expectHidden(run, copy)
    }
    expect(await runPartner([...LISTED, '--har', join(home, 'a.har')], { env })).toMatchObject({ code: 0 })
    const database = new DatabaseSync(join(home, 'copy.db'))
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
    const rows = tables.flatMap(({ name }) => database.prepare(`select * from "${name}"`).all())
    database.close()
    expect(decodeEscapes(JSON.stringify(rows))).not.toContain(KEY)
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining([...copies, 'a.har']))
    for (const { parentPath, name } of files) {
      const text = decodeEscapes(readFileSync(join(parentPath, name), 'utf8'))
      for (const secret of [KEY, SIGNING]) expect(text, name).not.toContain(secret)
    }
  })

  test('partner hides a secret that CSV output would form by joining two columns', async () => {
    const list = '{"bookings":[{"bookingId":"left-half","locationId":"right-half"}]}'
    const server = await startRawServer(() => answers(200, list, { 'content-type': 'application/json' }))
    const env = { ...envOf(server), PARTNER_API_KEY: 'left-half,right-half' }
    const run = await runPartner([...LISTED, '-o', 'csv', '--columns', 'bookingId,locationId'], { env })
    expect(run).toMatchObject({ code: 0, stdout: `bookingId,locationId\n${HIDDEN}\n` })
  })
})
