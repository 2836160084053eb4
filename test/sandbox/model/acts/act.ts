import fc from 'fast-check'
import { Difference } from '../answer.ts'
import { ask, type Exchange, type How, hold, holdAnyOrder, RIGHT, type Want } from '../exchange.ts'
import type { Rig } from '../rig.ts'
import type { Model } from '../state.ts'

export type Act = fc.AsyncCommand<Model, Rig>

/** Makes a request from the drawn values and the current model. `origin` is the origin of the webhook receiver. */
export type Wish<Drawn> = (drawn: Drawn, model: Model, origin: string) => Want

export interface Plan {
  readonly name: string
  readonly drawn: unknown
  readonly how: How
  readonly wish: Wish<unknown>
}

const BAD_CREDENTIALS: fc.Arbitrary<How> = fc.record({
  key: fc.constantFrom('wrong', 'missing', 'unknownApp', 'unlinkedVenue', 'noVenue'),
  signed: fc.constantFrom('otherSecret', 'otherBody', 'pathAlone', 'unsigned', 'otherPartner'),
  flaw: fc.constant('none'),
})
const FLAWED = fc.constantFrom<How['flaw'][]>('type', 'broken', 'empty', 'list').map((flaw) => ({ ...RIGHT, flaw }))

/** How requests are sent: mostly valid, so that most of them reach their endpoint. */
const HOW: fc.Arbitrary<How> = weighted([40, fc.constant(RIGHT)], [3, BAD_CREDENTIALS], [1, FLAWED])

export function planned<Drawn>(name: string, drawn: fc.Arbitrary<Drawn>, wish: Wish<Drawn>): fc.Arbitrary<Plan> {
  return fc.record({ name: fc.constant(name), drawn, how: HOW, wish: fc.constant(wish as Wish<unknown>) })
}

function step(name: string, run: Act['run']): Act {
  return { check: () => true, run, toString: () => name }
}

export function sendAlone(plan: Plan): Act {
  return step(textOf(plan), async (model, rig) => {
    const { want, how, asked, reply } = await exchange(plan, model, rig)
    hold(model, want, how, asked, reply)
  })
}

export function sendAtOnce(plans: readonly Plan[]): Act {
  return step(`simultaneously: ${plans.map(textOf).join(' | ')}`, async (model, rig) =>
    holdAnyOrder(model, await Promise.all(plans.map((plan) => exchange(plan, model, rig)))),
  )
}

async function exchange({ drawn, how, wish }: Plan, model: Model, rig: Rig): Promise<Exchange> {
  const want = wish(drawn, model, rig.receiverOrigin)
  const asked = ask(want, how, rig.origin)
  return { want, how, asked, reply: await rig.send(asked) }
}

function textOf({ name, drawn, how }: Plan): string {
  const wrong =
    how.key !== 'good' ? ` (${how.key} key, ${how.signed} signature)` : how.flaw === 'none' ? '' : ` (${how.flaw})`
  return `${name} ${JSON.stringify(drawn) ?? ''}${wrong}`
}

export function deed(name: string, run: Act['run']): Act {
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

export function given<T>(members: Readonly<Record<string, T>>) {
  type Entry = [string, Exclude<T, undefined>]
  return Object.fromEntries(Object.entries(members).filter((entry): entry is Entry => entry[1] !== undefined))
}
