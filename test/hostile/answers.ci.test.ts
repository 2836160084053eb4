import type { Socket } from 'node:net'
import { brotliCompressSync, constants, createGzip, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Act, answers, RAW_KEY, startRawServer } from '../support/raw-server.ts'
import { expectClean, expectRefusal, reportedError } from '../support/refusal.ts'
import { runMeasured } from './measured.ts'

/**
 * The maximum memory of a run, in MiB. Node itself takes about 60, and the largest response takes 16 as bytes and 32 as
 * text.
 */
const MAX_MIB = 200
const MIB = 1024 * 1024
const GET = ['giftcards', 'get', 'GIFT1-00000100-AAAA', '--retries', '0']
const LIST = ['bookings', 'list', '--from', 'today', '--retries', '0']
const JSON_TYPE = { 'content-type': 'application/json' }
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

/**
 * Writes chunks as fast as the client reads them. Pauses for `pauseMs` milliseconds each time the client has caught up.
 */
function streams(head: string, pieces: Iterable<Buffer>, pauseMs = 0): Act {
  return (socket) => {
    socket.write(head)
    const rest = pieces[Symbol.iterator]()
    const more = () => {
      for (let room = true; room; ) {
        const step = socket.destroyed ? ({ done: true } as const) : rest.next()
        if (step.done) return void socket.end()
        room = socket.write(step.value)
      }
    }
    socket.on('drain', () => (pauseMs === 0 ? more() : void setTimeout(more, pauseMs)))
    more()
  }
}

function* repeated(text: string, times = Number.POSITIVE_INFINITY): Generator<Buffer> {
  const piece = Buffer.from(text)
  for (let at = 0; at < times; at++) yield piece
}

/** Sends a byte every 40 ms, so that every time limit expires before the response is complete. */
const dribbles =
  (text: string | Buffer): Act =>
  (socket: Socket) => {
    const bytes = Buffer.from(text)
    let at = 0
    const timer = setInterval(() => {
      if (socket.destroyed || at >= bytes.byteLength) clearInterval(timer)
      else socket.write(bytes.subarray(at, ++at))
    }, 40)
  }

describe('partner with responses that take too long', () => {
  const whole = `${HEAD}content-length: 4000\r\n\r\n{"cardNumber":"${' '.repeat(3900)}`
  test.each([
    ['a status line sent byte by byte', dribbles(whole)],
    ['headers that are never completed', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\n')],
    [
      'a body sent byte by byte',
      ((socket, request) => {
        socket.write(`${HEAD}content-length: 4000\r\n\r\n`)
        dribbles(`{"cardNumber":"${' '.repeat(3900)}`)(socket, request)
      }) satisfies Act,
    ],
    [
      'a compressed body sent byte by byte',
      ((socket, request) => {
        socket.write(`${HEAD}content-encoding: gzip\r\ncontent-length: 4000\r\n\r\n`)
        dribbles(gzipSync(`{"a":"${'b'.repeat(100)}`))(socket, request)
      }) satisfies Act,
    ],
    [
      'an endless chunked body of whitespace',
      ((socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`)
        const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('1\r\n \r\n')), 40)
      }) satisfies Act,
    ],
  ])('--timeout limits %s', async (_name, act) => {
    const server = await startRawServer([act])
    for (const args of [GET, LIST]) {
      const run = await runMeasured([...args, '--timeout', '500ms'], server.env)
      expectRefusal(run, { code: 8, says: /no complete response within 500ms|was lost/, secrets: [RAW_KEY] })
    }
  })
})

describe('partner with large responses that are not lists', () => {
  const bomb =
    (compressed: Buffer, encoding: string): Act =>
    (socket) => {
      socket.write(`${HEAD}content-encoding: ${encoding}\r\ncontent-length: ${compressed.byteLength}\r\n\r\n`)
      socket.write(compressed)
    }
  const zeros = Buffer.alloc(400 * MIB, 0x20)
  const acts: Readonly<Record<string, () => Act>> = {
    'a response that announces 1 TB': () =>
      streams(`${HEAD}content-length: ${10 ** 12}\r\n\r\n`, repeated(' '.repeat(65_536))),
    'an endless response': () => streams(`${HEAD}\r\n`, repeated('{"a":"'.padEnd(65_536, 'x'))),
    'a gzip bomb': () => bomb(gzipSync(zeros, { level: 1 }), 'gzip'),
    'a brotli bomb': () => bomb(brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), 'br'),
    'an endless error': () =>
      streams('HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n\r\n', repeated('x'.repeat(65_536))),
    'an endless redirect': () =>
      streams('HTTP/1.1 302 Found\r\nlocation: https://elsewhere.example/\r\n\r\n', repeated('x'.repeat(65_536))),
  }
  test.each(Object.entries(acts))('partner refuses %s after 16 MiB, in bounded memory', async (_name, act) => {
    const run = await runMeasured(GET, (await startRawServer([act()])).env)
    expectRefusal(run, { code: 8, says: 'the response is larger than 16 MiB', secrets: [RAW_KEY] })
    expect(run.peakMib).toBeLessThan(MAX_MIB)
  })

  test.each(['gzip, gzip', 'compress', 'zstd', 'x-unknown'])(
    'partner refuses a response with an unsupported content encoding: %s',
    async (encoding) => {
      const server = await startRawServer([answers(200, '{}', { 'content-encoding': encoding })])
      expectRefusal(await runMeasured(GET, server.env), { code: 8, says: `content encoding "${encoding}"` })
    },
  )

  test('partner refuses endless response headers without exceeding its memory limit', async () => {
    const server = await startRawServer([streams('HTTP/1.1 200 OK\r\n', repeated(`x-${'y'.repeat(1000)}: z\r\n`))])
    const run = await runMeasured(GET, server.env)
    expect(run.code).toBe(8)
    expect(run.peakMib).toBeLessThan(MAX_MIB)
    expectClean(run, [RAW_KEY])
  })
})

describe('partner with large lists', () => {
  const record = JSON.stringify({ bookingId: 'BK-1', notes: 'n'.repeat(2000) })

  // Each of these lists is too large to hold in memory, whether as text or as objects.
  test.each([
    ['150 MiB', 'ndjson', 2300],
    ['100 MiB', 'json', 1500],
    ['100 MiB', 'csv', 1500],
    ['100 MiB', 'table', 1500],
  ])('partner streams %s of records as %s in bounded memory', async (_size, format, times) => {
    const server = await startRawServer([
      streams(
        `${HEAD}\r\n{"bookings":[${record}`,
        (function* () {
          yield* repeated(`,${record}`.repeat(32), times)
          yield Buffer.from(']}')
        })(),
      ),
    ])
    const run = await runMeasured([...LIST, '-o', format], server.env)
    expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') })
    expect(run.peakMib).toBeLessThan(MAX_MIB)
  })

  test('partner streams a gzip bomb of small records in bounded memory', async () => {
    const gzip = createGzip({ level: 1 })
    const server = await startRawServer([
      (socket) => {
        socket.write(`${HEAD}content-encoding: gzip\r\n\r\n`)
        gzip.pipe(socket)
        const write = (left: number): void => {
          if (left === 0) gzip.end('{"bookingId":"BK-2"}]}')
          else if (gzip.write(`${record},`.repeat(64))) setImmediate(write, left - 1)
          else gzip.once('drain', () => write(left - 1))
        }
        gzip.write('{"bookings":[')
        write(600)
      },
    ])
    const run = await runMeasured([...LIST, '-o', 'ndjson'], server.env)
    expect(run.code).toBe(0)
    expect(run.peakMib).toBeLessThan(MAX_MIB)
  })

  const endless: Readonly<Record<string, Iterable<Buffer>>> = {
    'a record larger than 16 MiB': repeated('x'.repeat(65_536)),
    'an endlessly nested record': repeated('{"a":'.repeat(1000)),
    'a record with an endless number of members': repeated('","b":"'.repeat(1000)),
  }
  test.each(Object.entries(endless))(
    'partner prints the complete records before %s and exits with code 13',
    async (_name, rest) => {
      const server = await startRawServer([
        streams(`${HEAD}\r\n{"bookings":[{"bookingId":"BK-1"},{"bookingId":"BK-2","notes":"`, rest),
      ])
      const run = await runMeasured([...LIST, '-o', 'ndjson'], server.env)
      expect(run).toMatchObject({ code: 13, stdout: '{"bookingId":"BK-1"}\n' })
      expect(reportedError(run)).toMatchObject({ code: 'INCOMPLETE', exitCode: 13 })
      expect(run.peakMib).toBeLessThan(MAX_MIB)
    },
  )

  const beforeList: Readonly<Record<string, readonly [start: string, piece: string, timeout?: string]>> = {
    'an endless member before the list': ['{"junk":"', 'x'.repeat(MIB / 2)],
    'an endless number of members before the list': ['{', '"j":1,'.repeat(MIB / 12)],
    'an endless list before the requested list': ['{"junk":[', '1,'.repeat(MIB / 4)],
    // Partner does not limit leading whitespace, so it reads until --timeout expires.
    'endless leading whitespace': ['', ' '.repeat(MIB / 2), '1s'],
  }
  test.each(Object.entries(beforeList))(
    'partner gives up on %s without exceeding its memory limit',
    async (_name, [start, piece, timeout = '4s']) => {
      const server = await startRawServer([streams(`${HEAD}\r\n${start}`, repeated(piece), 4)])
      const run = await runMeasured([...LIST, '--timeout', timeout], server.env)
      expect(run).toMatchObject({ code: 8, stdout: '' })
      expect(run.peakMib).toBeLessThan(MAX_MIB)
    },
  )
})

describe('partner with deeply nested responses', () => {
  const deep = (open: string, close: string) => open.repeat(200_000) + close.repeat(200_000)
  test.each([
    ['arrays', deep('[', ']')],
    ['objects', deep('{"a":', '}').replace('}', '1}')],
    ['unclosed arrays and objects', '[{"a":'.repeat(100_000)],
  ])('partner refuses %s nested 200,000 levels deep', async (_name, text) => {
    const run = await runMeasured(GET, (await startRawServer([answers(200, `{"cardNumber":${text}}`, JSON_TYPE)])).env)
    expectRefusal(run, { code: 8, says: /nested more than 256 levels deep|cannot be read/ })
    const list = await startRawServer([answers(200, `{"bookings":[{"bookingId":"BK-1"},${text}]}`, JSON_TYPE)])
    const listed = await runMeasured([...LIST, '-o', 'ndjson'], list.env)
    expect(listed).toMatchObject({ code: 13, stdout: '{"bookingId":"BK-1"}\n' })
    expect(Math.max(run.peakMib, listed.peakMib)).toBeLessThan(MAX_MIB)
  })

  test('partner reports an error that contains deeply nested arrays like any other error', async () => {
    const server = await startRawServer([answers(400, `{"message":"No.","errors":${deep('[', ']')}}`)])
    const run = await runMeasured(GET, server.env)
    expect(run.code).toBe(5)
    expectClean(run)
  })
})

describe('partner with responses that are not UTF-8', () => {
  const bad = Buffer.concat([
    Buffer.from('{"bookingId":"BK-2","notes":"'),
    Buffer.from([0xff, 0xfe, 0xc0, 0xaf]),
    Buffer.from('"}'),
  ])
  const act =
    (before: string, after: string): Act =>
    (socket) => {
      const body = Buffer.concat([Buffer.from(before), bad, Buffer.from(after)])
      socket.write(`${HEAD}content-length: ${body.byteLength}\r\n\r\n`)
      socket.write(body)
    }

  test('partner refuses a response with a single record if it is not UTF-8', async () => {
    expectRefusal(await runMeasured(GET, (await startRawServer([act('', '')])).env), { code: 8, says: /UTF-8/ })
  })

  test('partner prints the records before the first one that is not UTF-8, and exits with code 13', async () => {
    const server = await startRawServer([act('{"bookings":[{"bookingId":"BK-1"},', ',{"bookingId":"BK-3"}]}')])
    const run = await runMeasured([...LIST, '-o', 'ndjson'], server.env)
    expect(run).toMatchObject({ code: 13, stdout: '{"bookingId":"BK-1"}\n' })
  })
})

describe('partner with unusual and duplicate JSON members', () => {
  const odd =
    '{"cardNumber":"GIFT1-00000100-AAAA","__proto__":{"status":"Polluted","polluted":true},"constructor":{"prototype":{"polluted":true}},"remainingAmount":25.00,"toString":"x"}'

  test('partner treats a member such as __proto__ like any other member', async () => {
    const server = await startRawServer([answers(200, odd, JSON_TYPE)])
    expect(await runMeasured([...GET, '--json'], server.env)).toMatchObject({ code: 0, stdout: `${odd}\n` })
    const columns = await runMeasured(
      [...GET, '-o', 'csv', '--columns', 'cardNumber,status,polluted,remainingAmount'],
      server.env,
    )
    expect(columns.stdout).toBe('cardNumber,status,polluted,remainingAmount\nGIFT1-00000100-AAAA,,,25.00\n')
    const card = await runMeasured(GET, server.env)
    expect(card.code).toBe(0)
    expect(card.stdout).not.toMatch(/Status +Polluted/)
  })

  test('partner prints duplicate members as they were sent', async () => {
    const twice = '{"cardNumber":"A","cardNumber":"B","remainingAmount":1.00,"remainingAmount":2.00}'
    const server = await startRawServer([answers(200, twice, JSON_TYPE)])
    expect(await runMeasured([...GET, '--json'], server.env)).toMatchObject({ code: 0, stdout: `${twice}\n` })
  })

  test('giftcards redeem sends no redemption if the service returns two balances for the card', async () => {
    const twice =
      '{"cardNumber":"GIFT1-00000100-AAAA","remainingAmount":100,"remaining\\u0041mount":50,"status":"Active"}'
    const server = await startRawServer([answers(200, twice, JSON_TYPE)])
    const run = await runMeasured(['giftcards', 'redeem', 'GIFT1-00000100-AAAA', '--amount', '5', '--json'], server.env)
    expect(reportedError(run)).toMatchObject({ exitCode: 8, outcome: 'not-applied' })
    expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
  })
})
