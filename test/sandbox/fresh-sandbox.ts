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
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
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

/**
 * Returns a function that sends requests to a sandbox with its valid key. The function sends a string body unchanged
 * and any other body as JSON.
 */
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

/** Starts a sandbox for one test. It runs in memory unless a directory is given. */
export async function freshSandbox(options: Partial<SandboxOptions> = {}): Promise<{ sandbox: Sandbox; send: Send }> {
  const sandbox = await startSandbox({ data: ':memory:', ...options })
  onTestFinished(() => sandbox.close())
  return { sandbox, send: senderTo(sandbox) }
}

/** Starts a background sandbox that is controlled over HTTP. */
export async function runningSandbox(options: Partial<SandboxOptions> = {}) {
  const started = await freshSandbox({ ...options, background: true })
  return { ...started, control: await openControl({ baseUrl: started.sandbox.baseUrl }) }
}

type Fresh = Awaited<ReturnType<typeof freshSandbox>>
type Running = Awaited<ReturnType<typeof runningSandbox>>

export const test = plainTest.extend<Fresh & { fresh: Fresh }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the required fixtures from this pattern
  fresh: async ({}, use) => use(await freshSandbox()),
  sandbox: ({ fresh }, use) => use(fresh.sandbox),
  send: ({ fresh }, use) => use(fresh.send),
})

export const runningTest = plainTest.extend<Running & { running: Running }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the required fixtures from this pattern
  running: async ({}, use) => use(await runningSandbox()),
  sandbox: ({ running }, use) => use(running.sandbox),
  send: ({ running }, use) => use(running.send),
  control: ({ running }, use) => use(running.control),
})

/** Opens a control connection to the sandbox in a directory, as another process would. */
export function controlOf(data: string): SandboxControl {
  const control = localControl(openState(data))
  onTestFinished(() => control.close())
  return control
}

/** Starts a sandbox in a new directory and opens a control connection to it, as another process would. */
export async function controlledSandbox(options: Partial<SandboxOptions> = {}) {
  const data = freshDirectory()
  return { data, ...(await freshSandbox({ data, ...options })), control: controlOf(data) }
}

/** Returns the value at a dotted path in each item of a list. */
// biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
export function eachAt(items: any, path: string): any[] {
  return items.map((item: JsonObject) => valueAt(item, path))
}

export const answerOf = (sent: ReturnType<Send>) => sent.then(({ status, body }) => [status, body])

export const refusalOf = (sent: ReturnType<Send>) => sent.then(({ status, body }) => [status, body.message])

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/**
 * Finds the first free time in the schedule two days after `now`. Returns the members that a reservation for that time
 * needs.
 */
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
