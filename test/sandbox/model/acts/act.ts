import fc from 'fast-check'
import {
  type ApiRequest,
  buildRequest,
  checkAnyOrder,
  checkReply,
  type Exchange,
  type SendMode,
  VALID,
} from '../exchange.ts'
import { Difference } from '../expected-response.ts'
import type { Rig } from '../rig.ts'
import type { Model } from '../state.ts'

export type Act = fc.AsyncCommand<Model, Rig>

/**
 * Builds a request from randomly drawn values and the current model. `origin` is the origin of the webhook receiver's
 * URL.
 */
export type RequestMaker<Drawn> = (drawn: Drawn, model: Model, origin: string) => ApiRequest

export interface Plan {
  readonly name: string
  readonly drawn: unknown
  readonly mode: SendMode
  readonly makeRequest: RequestMaker<unknown>
}

const BAD_CREDENTIALS: fc.Arbitrary<SendMode> = fc.record({
  key: fc.constantFrom('wrong', 'missing', 'unknownApp', 'unlinkedVenue', 'noVenue'),
  signed: fc.constantFrom('otherSecret', 'otherBody', 'pathAlone', 'unsigned', 'otherPartner'),
  flaw: fc.constant('none'),
})
const FLAWED = fc
  .constantFrom<SendMode['flaw'][]>('type', 'broken', 'empty', 'list')
  .map((flaw) => ({ ...VALID, flaw }))

/** How a request is sent. Most requests have valid credentials and bodies, so that they reach their endpoint. */
const SEND_MODE: fc.Arbitrary<SendMode> = weighted([40, fc.constant(VALID)], [3, BAD_CREDENTIALS], [1, FLAWED])

export function makePlan<Drawn>(
  name: string,
  drawn: fc.Arbitrary<Drawn>,
  makeRequest: RequestMaker<Drawn>,
): fc.Arbitrary<Plan> {
  return fc.record({
    name: fc.constant(name),
    drawn,
    mode: SEND_MODE,
    makeRequest: fc.constant(makeRequest as RequestMaker<unknown>),
  })
}

function step(name: string, run: Act['run']): Act {
  return { check: () => true, run, toString: () => name }
}

export function sendAlone(plan: Plan): Act {
  return step(textOf(plan), async (model, rig) => {
    const { apiRequest, mode, httpRequest, reply } = await exchange(plan, model, rig)
    checkReply(model, apiRequest, mode, httpRequest, reply)
  })
}

export function sendAtOnce(plans: readonly Plan[]): Act {
  return step(`simultaneously: ${plans.map(textOf).join(' | ')}`, async (model, rig) =>
    checkAnyOrder(model, await Promise.all(plans.map((plan) => exchange(plan, model, rig)))),
  )
}

async function exchange({ drawn, mode, makeRequest }: Plan, model: Model, rig: Rig): Promise<Exchange> {
  const apiRequest = makeRequest(drawn, model, rig.receiverOrigin)
  const httpRequest = buildRequest(apiRequest, mode, rig.origin)
  return { apiRequest, mode, httpRequest, reply: await rig.send(httpRequest) }
}

function textOf({ name, drawn, mode }: Plan): string {
  const wrong =
    mode.key !== 'good' ? ` (${mode.key} key, ${mode.signed} signature)` : mode.flaw === 'none' ? '' : ` (${mode.flaw})`
  return `${name} ${JSON.stringify(drawn) ?? ''}${wrong}`
}

export function describedStep(name: string, run: Act['run']): Act {
  return step(name, async (model, rig) => {
    try {
      await run(model, rig)
    } catch (error) {
      throw error instanceof Difference ? new Difference(`${name}: ${error.message}`) : error
    }
  })
}

export function weighted<Ts extends unknown[]>(
  ...choices: { readonly [At in keyof Ts]: readonly [weight: number, arbitrary: fc.Arbitrary<Ts[At]>] }
): fc.Arbitrary<Ts[number]> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
}

export function nth<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)]
}

export function maybe<T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight, arbitrary })
}

export function withoutUndefined<T>(members: Readonly<Record<string, T>>) {
  type Entry = [string, Exclude<T, undefined>]
  return Object.fromEntries(Object.entries(members).filter((entry): entry is Entry => entry[1] !== undefined))
}
