import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMIT_MS } from './limit.ts'
import { isRequired, type Need } from './needs.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

const FOUND = NAMES.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0)

/** A browser. */
export const CHROMIUM: Need = {
  isMet: isRequired('chromium') || FOUND !== undefined,
  lack: 'chromium is not installed',
}

/** What the browser tells us. */
interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

/** A page in a browser, spoken to by its own protocol. */
export interface BrowserPage {
  /** What happened so far: `Network.requestWillBeSent`, `Log.entryAdded`, … */
  readonly events: readonly Message[]
  readonly send: (
    method: string,
    params?: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, unknown>>>
  /** The value of an expression in the page. */
  readonly value: (expression: string) => Promise<unknown>
  /** Shows an address, and comes back when it has been loaded. */
  readonly show: (url: string) => Promise<void>
  readonly close: () => void
}

/** Starts a browser with an empty page. */
export async function openBrowser(): Promise<BrowserPage> {
  const directory = mkdtempSync(join(tmpdir(), 'partner-chromium-'))
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0']
  const child = spawn(FOUND ?? 'chromium', [...args, `--user-data-dir=${directory}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const end = () => {
    endGroup(child)
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  process.once('exit', end)
  const socket = new WebSocket(await addressOf(child))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  const events: Message[] = []
  const asked = new Map<number, (message: Message) => void>()
  const awaited = new Map<string, () => void>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) return asked.get(message.id)?.(message)
    events.push(message)
    awaited.get(message.method ?? '')?.()
  })
  let sessionId: unknown
  const send: BrowserPage['send'] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1
      asked.set(last, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result ?? {})))
      socket.send(JSON.stringify({ id: last, method, params, ...(sessionId ? { sessionId } : {}) }))
    })
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  sessionId = (await send('Target.attachToTarget', { targetId, flatten: true }))['sessionId']
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await send(`${domain}.enable`)
  return {
    events,
    send,
    value: async (expression) => {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true })
      return (result as { readonly value?: unknown }).value
    },
    show: async (url) => {
      const loaded = new Promise<void>((resolve) => awaited.set('Page.loadEventFired', resolve))
      await send('Page.navigate', { url })
      await loaded
    },
    close: () => {
      socket.close()
      process.off('exit', end)
      end()
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [, address] = /DevTools listening on (\S+)/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`chromium ended with ${code}: ${said}`)))
  })
}

/** With all that it has started. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
