import { createPublicKey } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { READY_SNAPSHOTS, writeReadySnapshot } from '../../src/sandbox/snapshot/ready/ready.ts'
import type { ReadySnapshot } from '../../src/sandbox/snapshot/ready/scene.ts'
import { makeKey, signResult } from '../../src/studio/certify/result/signed.ts'
import { sale } from '../client/bulk/importing.ts'
import { booking, delivered } from '../commands/timeline/timeline-venue.ts'
import { type Environment, freshDirectory, freshHome, type Run, runPartner } from '../support/partner.ts'
import { expectRefusal } from '../support/refusal.ts'

/** A command's input file. */
interface Input {
  /** The arguments, with FILE as a placeholder for the file's path. */
  readonly args: readonly string[]
  readonly text: string
  /** The name of the file, for commands that choose the format by its extension. */
  readonly name?: string
  readonly env?: (file: string) => Environment
  /** The exit code if the file is readable. Defaults to 0. */
  readonly code?: number
  /** The exit code if the file is unreadable. Defaults to 2. */
  readonly refusal?: number
  /** Where the command reads the text. `both` means a file or standard input. Defaults to a file. */
  readonly from?: 'stdin' | 'both'
  /** Whether the command uses the exact bytes of the file, including line endings and a byte order mark. */
  readonly isExact?: boolean
}

const SANDBOX = ['-p', 'sandbox']
const DRY = ['--dry-run', ...SANDBOX]
const BODY = '{\n  "people": 2,\n  "customer": { "lastName": "Müller" }\n}\n'
const HOOKS = '# Webhooks\n- event: BOOKING_CREATED\n  webhookUrl: https://till.example/hooks\n'
const MAP = 'saleId=Bill,total=Total,closed=Closed,currency=Currency,staffId=Waiter,seats=Seats'
const BILLS =
  'Bill,Total,Closed,Currency,Waiter,Seats\nA-1,5.00,2026-11-20 10:40,AUD,anna,2\nB-2,6.50,2026-11-20 11:40,AUD,Jörg,2\n'
const SALES = `${sale('S-1', { bookingId: 'BK-1003' })}\n${sale('S-2', { bookingId: 'BK-1003' })}\n`
const CLOSINGS = [1, 2]
  .map((id) => ({ origin: { saleId: `S-${id}` }, closedZonedDateTime: '2026-11-20T10:40:00Z' }))
  .map((closing) => `${JSON.stringify({ ...closing, total: { amount: 500, currency: 'AUD' } })}\n`)
  .join('')
const BOOKINGS = [booking('BK-1003', '2026-11-20T08:00:00Z', 'ARRIVED')]
  .map((one) => `${JSON.stringify(one)}\n`)
  .join('')
const DELIVERIES = `${delivered('BOOKING_UPDATED', 'BK-1003', '2026-11-20T08:30:01Z')}\n`
const HAR = `${JSON.stringify(
  {
    log: {
      entries: [
        {
          startedDateTime: '2026-11-20T08:00:00Z',
          request: { method: 'GET', url: 'https://till.example/Bookings/BK-1' },
          response: { status: 200, content: { text: BOOKINGS.trimEnd() } },
        },
      ],
    },
  },
  null,
  2,
)}\n`
const TIMELINE = ['timeline', 'booking', 'BK-1003', ...SANDBOX, '-o', 'csv']
const SIGN = ['sign', ...SANDBOX, '--url', 'https://till.example/x']
const ITEMS = `version: 1
items:
  - id: sells-by-itself
    name: Sends a sale
    mend: Send the sale.
    when: [{ do: poll }]
    expect: [{ exit: 0 }]
`

const KEY = makeKey()
const RESULT = signResult(
  {
    version: 1,
    name: null,
    madeAt: '2026-11-20T08:00:00Z',
    madeBy: 'partner',
    items: [],
    journal: { hash: '', entries: 0 },
  },
  KEY,
)

const INPUTS: Readonly<Record<string, Input>> = {
  'a body': { args: ['reservations', 'create', '--no-validate', '--data', '@FILE', ...DRY], text: BODY, from: 'both' },
  'a raw body': { args: ['api', 'POST', '/Sales', '--data', '@FILE', ...DRY], text: '{"a": "ü"}', from: 'both' },
  'a body of sign': { args: [...SIGN, '--body', '@FILE'], text: BODY, from: 'both', isExact: true },
  'a list of IDs': { args: ['customers', 'unsubscribe', '-', ...DRY], text: 'C-1001\nC-1002\n', from: 'stdin' },
  'sales in NDJSON': { args: ['sales', 'import', 'FILE', ...DRY], text: SALES, from: 'both' },
  'sales in CSV': { args: ['sales', 'import', 'FILE', '--map', MAP, ...DRY], text: BILLS, from: 'both' },
  'a table map': {
    args: ['sales', 'import', 'SALES', '--table-map', 'FILE', ...DRY],
    text: 'pos,service\n5,T5\n6,Tür\n',
  },
  'closings in NDJSON': { args: ['sales', 'reconcile', 'FILE', ...SANDBOX], text: CLOSINGS, from: 'both', code: 11 },
  'closings in CSV': {
    ...{ args: ['sales', 'reconcile', 'FILE', '--map', MAP, ...SANDBOX], text: BILLS, from: 'both' },
    code: 11,
  },
  'table names in CSV': {
    args: ['tables', 'check', 'FILE', ...SANDBOX],
    text: 'number,table\n1,T1\n2,Tür\n',
    ...{ from: 'both', code: 11 },
  },
  'table names in a list': { args: ['tables', 'check', 'FILE', ...SANDBOX], text: 'T1\nT2\n', from: 'both', code: 11 },
  'subscriptions in YAML': { args: ['webhooks', 'apply', 'FILE', ...DRY], text: HOOKS, from: 'both' },
  'subscriptions in JSON': {
    args: ['webhooks', 'apply', 'FILE', ...DRY],
    text: '[\n  { "event": "BOOKING_CREATED", "webhookUrl": "https://till.example/ü" }\n]\n',
    from: 'both',
  },
  'items of certify': { args: ['certify', '--list', '--items', 'FILE'], text: ITEMS },
  'a copy in NDJSON': { args: [...TIMELINE, '--copy', 'FILE'], text: BOOKINGS, name: 'copy.ndjson' },
  'a copy in CSV': {
    args: [...TIMELINE, '--copy', 'FILE'],
    text: 'bookingId,people,lastModifiedDate\nBK-1003,2,2026-11-20T08:00:00Z\n',
    name: 'copy.csv',
  },
  'a journal of deliveries': { args: [...TIMELINE, '--journal', 'FILE'], text: DELIVERIES },
  'deliveries to replay': {
    args: ['webhooks', 'replay', 'FILE', '--to', 'http://127.0.0.1:9', '--dry-run'],
    text: DELIVERIES,
  },
  'a HAR for drift': { args: ['drift', '--har', 'FILE', ...SANDBOX, '-o', 'csv'], text: HAR },
  'a HAR for a bundle': { args: ['support', 'bundle', '--list', '--har', 'FILE', ...SANDBOX], text: HAR },
  'a secret on standard input': {
    args: [
      'profiles',
      'add',
      'till',
      '--base-url',
      'https://till.example',
      '--api-key-stdin',
      '--environment',
      'development',
      '--yes',
    ],
    text: 'secret-of-the-till\n',
    from: 'stdin',
  },
  'a secret in a file': {
    args: ['sign', '--url', 'https://till.example/x', '--body', 'x'],
    text: 'secret-of-the-till\n',
    env: (file) => ({ PARTNER_SIGNING_SECRET_FILE: file, PARTNER_BASE_URL: 'https://till.example' }),
    refusal: 4,
  },
  'a snapshot': {
    args: ['sandbox', 'snapshot', 'load', 'FILE', '--yes'],
    text: writeReadySnapshot(READY_SNAPSHOTS[0] as ReadySnapshot),
    name: 'Über.snapshot',
  },
  'a public key': {
    args: ['certify', 'verify', 'RESULT', '--key', 'file:FILE'],
    text: createPublicKey(KEY).export({ type: 'spki', format: 'pem' }).toString(),
  },
  'the profile file': {
    args: ['profiles', 'list'],
    text: '{\n  "profiles": { "till": { "baseUrl": "https://till.example" } }\n}\n',
    name: 'profiles.json',
    env: (file) => ({ PARTNER_CONFIG_DIR: dirname(file) }),
  },
}

const wide = (text: string) => Buffer.from(text, 'utf16le')
const crlf = (text: string) => text.replaceAll('\n', '\r\n')

/** Changes that Windows programs make to text when they save it. */
const READABLE: Readonly<Record<string, (text: string) => string>> = {
  CRLF: crlf,
  'a byte order mark': (text) => `\ufeff${text}`,
  'CRLF and a byte order mark': (text) => `\ufeff${crlf(text)}`,
}
const UTF16: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-16': (text) => wide(`\ufeff${crlf(text)}`),
  'UTF-16, big-endian,': (text) => wide(`\ufeff${crlf(text)}`).swap16(),
  'UTF-16 without a byte order mark': (text) => wide(crlf(text)),
}

async function runWith(input: Input, bytes: string | Buffer, isPiped: boolean): Promise<Run> {
  const directory = join(freshDirectory(), 'Übung 1')
  mkdirSync(directory)
  const file = join(directory, input.name ?? 'input file')
  writeFileSync(file, bytes)
  const others = { SALES, RESULT }
  for (const [name, text] of Object.entries(others)) writeFileSync(join(directory, name), text)
  const args = input.args.map((word) => {
    if (word in others) return word
    return isPiped ? word.replace('@FILE', '-').replace('FILE', '-') : word.replace('FILE', file)
  })
  const env = { ...freshHome(), ...input.env?.(file) }
  const run = await runPartner(args, { env, cwd: directory, ...(isPiped ? { input: Buffer.from(bytes) } : {}) })
  const same = (text: string) => text.replaceAll(directory, '').replace(/127\.0\.0\.1:\d+/g, 'sandbox')
  return { ...run, stdout: same(run.stdout), stderr: same(run.stderr) }
}

const ALL = Object.entries(INPUTS)
const waysOf = ({ from }: Input) => [...(from === 'stdin' ? [] : [false]), ...(from === undefined ? [] : [true])]

describe.each(ALL.filter(([, { isExact }]) => !isExact))('%s', (name, input) => {
  test.each(Object.entries(READABLE))(`partner reads ${name} with %s like any other`, async (_how, change) => {
    for (const isPiped of waysOf(input)) {
      const plain = await runWith(input, input.text, isPiped)
      expect(plain.code, plain.stderr).toBe(input.code ?? 0)
      expect(await runWith(input, change(input.text), isPiped)).toEqual(plain)
    }
  })
})

describe.each(ALL)('%s', (name, input) => {
  test.each(Object.entries(UTF16))(`partner reports that ${name} is %s and sends nothing`, async (_how, change) => {
    for (const isPiped of waysOf(input)) {
      const run = await runWith(input, change(input.text), isPiped)
      expectRefusal(run, {
        code: input.refusal ?? 2,
        says: / is UTF-16, as PowerShell's > writes it$/m,
        next: '| Set-Content -Encoding utf8 FILE',
        secrets: ['secret-of'],
      })
    }
  })
})

test('partner refuses a body that is not UTF-8 instead of converting it', async () => {
  const input = INPUTS['a body'] as Input
  for (const isPiped of [false, true])
    expectRefusal(await runWith(input, Buffer.from(input.text, 'latin1'), isPiped), {
      code: 2,
      says: /line 3 is not UTF-8$/m,
      next: 'iconv -f WINDOWS-1252',
    })
})

test('api sends binary data unchanged, even if it starts with a UTF-16 byte order mark', async () => {
  const input = { args: ['api', 'POST', '/Sales', '--data', '@FILE', '--no-validate', ...DRY], text: '' }
  expect(await runWith(input, Buffer.from([0xff, 0xfe, 0x00]), false)).toMatchObject({ code: 0 })
})
