import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test as plainTest } from 'vitest'
import type { JsonObject } from '../../src/base/json/exact.ts'
import { valueAt } from '../../src/base/json/paths.ts'
import type { SandboxControl } from '../../src/sandbox/control/control.ts'
import { localControl } from '../../src/sandbox/control/local.ts'
import { openControl } from '../../src/sandbox/control/open.ts'
import { openState } from '../../src/sandbox/open-state.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/studio/start.ts'

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly body: any
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>

export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Sends to a sandbox with its good key; a body that is no string goes as JSON. */
export function senderTo(sandbox: Pick<Sandbox, 'baseUrl' | 'apiKey'>): Send {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(sandbox.baseUrl + path, {
      method,
      headers: {
        'x-api-key': sandbox.apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }
}

/** A sandbox for one test, in memory unless a directory is given. */
export async function freshSandbox(options: Partial<SandboxOptions> = {}): Promise<{ sandbox: Sandbox; send: Send }> {
  const sandbox = await startSandbox({ data: ':memory:', ...options })
  onTestFinished(() => sandbox.close())
  return { sandbox, send: senderTo(sandbox) }
}

/** A sandbox that goes on running, with its control over HTTP. */
export async function runningSandbox(options: Partial<SandboxOptions> = {}) {
  const started = await freshSandbox({ ...options, background: true })
  return { ...started, control: await openControl({ baseUrl: started.sandbox.baseUrl }) }
}

type Fresh = Awaited<ReturnType<typeof freshSandbox>>
type Running = Awaited<ReturnType<typeof runningSandbox>>

export const test = plainTest.extend<Fresh & { fresh: Fresh }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures this one needs
  fresh: async ({}, use) => use(await freshSandbox()),
  sandbox: ({ fresh }, use) => use(fresh.sandbox),
  send: ({ fresh }, use) => use(fresh.send),
})

export const runningTest = plainTest.extend<Running & { running: Running }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures this one needs
  running: async ({}, use) => use(await runningSandbox()),
  sandbox: ({ running }, use) => use(running.sandbox),
  send: ({ running }, use) => use(running.send),
  control: ({ running }, use) => use(running.control),
})

/** Controls the sandbox of a directory, as a second process would. */
export function controlOf(data: string): SandboxControl {
  const control = localControl(openState(data))
  onTestFinished(() => control.close())
  return control
}

/** A sandbox in a fresh directory, with its control as a second process would have it. */
export async function controlledSandbox(options: Partial<SandboxOptions> = {}) {
  const data = freshDirectory()
  return { data, ...(await freshSandbox({ data, ...options })), control: controlOf(data) }
}

/** What the items of a list that came have at a dotted path. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
export function eachAt(items: any, path: string): any[] {
  return items.map((item: JsonObject) => valueAt(item, path))
}

export const answerOf = (asked: ReturnType<Send>) => asked.then(({ status, body }) => [status, body])

export const refusalOf = (asked: ReturnType<Send>) => asked.then(({ status, body }) => [status, body.message])

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** The first free time of the schedule, two days after `now`, with what a reservation needs. */
export async function freeTime(send: Send, people: number, service = 'svc-dinner', now = Date.now()) {
  const start = new Date(now + 2 * 86_400_000).toISOString()
  const { body } = await send('GET', `/Bookings/schedule?BookingDateTimeStart=${start}&NumOfPeople=${people}`)
  for (const time of body[0].services.find((one: { id: string }) => one.id === service).times) {
    const section = time.sections.find((one: { sectionState: boolean }) => one.sectionState)
    if (section) return { serviceId: service, sectionId: section.id as string, bookingTimeAsUtc: time.time as string }
  }
  throw new Error('the schedule has no free time')
}

export const saleOf = (saleId: string, more: object = {}) => ({
  ...{ origin: { saleId }, source: { type: 'POS' }, type: 'SALE', openedZonedDateTime: '2026-11-20T08:00:00Z' },
  ...{ staff: { id: 's1' }, table: { seats: 2 }, total: { amount: 100, currency: 'AUD' }, ...more },
})

export const GUEST = { firstName: '小芳', lastName: "O'Néill", phone: '+61 412 345 678' }
