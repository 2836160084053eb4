import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SandboxControl } from '../../../src/sandbox/control/control.ts'
import { openControl } from '../../../src/sandbox/control/open.ts'
import type { FaultSpecification } from '../../../src/sandbox/faults/fault.ts'
import { quickDirectory } from '../../money/quick-directory.ts'
import { aged, rewriteRows } from '../../money/rows.ts'
import { type Environment, runPartner } from '../../support/partner.ts'
import type { Sandbox } from '../../support/sandbox-process.ts'
import { type ClientOptions, type Message, RawClient } from './client.ts'

export const REDEEM = 'POST /GiftCards/redeem'

/** A sandbox card with a balance of 9,999,999.99. */
export const CARD = 'GIFT7-99999999-AAAA'

/** An agent's machine, and the sandbox that it calls over the network. */
export interface AgentVenue {
  readonly sandbox: Sandbox
  readonly control: SandboxControl
  readonly env: Environment
  open(options: Omit<ClientOptions, 'env'>): Promise<RawClient>
  /** Returns the card's balance in the service, in cents. */
  balance(card?: string): Promise<number>
  /** Sends a request to the sandbox with its valid key. Throws unless it succeeds. */
  send(method: string, path: string, body?: unknown): Promise<Message>
  addFault(fault: FaultSpecification): Promise<unknown>
  /** Returns all writes in the sandbox's journal, as `METHOD PATH`. */
  writes(): Promise<readonly string[]>
  /** Makes all recorded writes look `ms` milliseconds older. */
  age(ms: number): void
  approve(handle: string, ...flags: readonly string[]): Promise<string>
}

/** Sets up a separate machine for one test. After the test, kills its servers and removes all faults. */
export async function agentVenue(sandbox: Sandbox, more: Environment = {}): Promise<AgentVenue> {
  const control = await openControl({ baseUrl: sandbox.baseUrl })
  const home = quickDirectory()
  const directory = (name: string) => join(home, name)
  const env = {
    ...{ PARTNER_CONFIG_DIR: directory('config'), PARTNER_DATA_DIR: directory('data') },
    ...{ PARTNER_CACHE_DIR: directory('cache'), PARTNER_TIMEZONE: sandbox.timezone },
    ...{ PARTNER_SIGNING_SECRET: sandbox.signingSecret, PARTNER_NAME: sandbox.partnerName },
    ...{ PARTNER_SIGNATURE_HEADER: sandbox.signatureHeader, PARTNER_LOCATION_ID: sandbox.locationId },
    ...sandbox.env,
    ...more,
  }
  const clients: RawClient[] = []
  onTestFinished(async () => {
    for (const client of clients) await client.kill()
    await control.clearFaults()
    rmSync(home, { recursive: true, force: true })
  })
  const send: AgentVenue['send'] = async (method, path, body) => {
    const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' }
    const response = await fetch(sandbox.baseUrl + path, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  return {
    ...{ sandbox, control, env, send },
    async open(options) {
      const client = await RawClient.open({ ...options, env })
      clients.push(client)
      return client
    },
    balance: async (card = CARD) => {
      const { remainingAmount } = await send('GET', `/GiftCards/${card}`)
      return Math.round(remainingAmount * 100)
    },
    addFault: (fault) => control.addFault(fault),
    writes: async () => {
      const { entries } = await control.readJournal(0)
      const isRead = (method: string, path: string) => method === 'GET' || path.endsWith('/giftcards/balance')
      return entries.flatMap(({ method, path }) => (isRead(method, path) ? [] : [`${method} ${path}`]))
    },
    age: (ms) => rewriteRows(join(directory('data'), 'operations.db'), (row) => aged(row, ms)),
    approve: async (handle, ...flags) => {
      const { code, stdout, stderr } = await runPartner(['operations', 'approve', handle, ...flags], { env })
      if (code !== 0) throw new Error(`operations approve ended with ${code}: ${stderr}`)
      return stdout
    },
  }
}

/** Prepares a redemption and returns its handle. */
export async function prepare(client: RawClient, amount: string): Promise<string> {
  const { structuredContent, isError } = await client.call('giftcards_redeem_prepare', { card: CARD, amount })
  if (isError) throw new Error(`nothing was prepared: ${JSON.stringify(structuredContent)}`)
  return structuredContent.handle
}
