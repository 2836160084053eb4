import fc from 'fast-check'
import { Difference } from '../answer.ts'
import { ask, type Exchange, type How, hold, holdAnyOrder, RIGHT, type Want } from '../exchange.ts'
import type { Rig } from '../rig.ts'
import type { Model } from '../state.ts'

/** A step of a history. */
export type Act = fc.AsyncCommand<Model, Rig>

/** Makes a request of what was drawn, for the model as it is then; `origin` is that of the receiver. */
export type Wish<Drawn> = (drawn: Drawn, model: Model, origin: string) => Want

/** What was drawn of one request. */
interface Plan {
  readonly name: string
  readonly drawn: unknown
  readonly how: How
  readonly wish: Wish<unknown>
}

/** Mostly right, so that most requests get as far as their endpoint. */
const HOW: fc.Arbitrary<How> = fc.oneof(
  { weight: 40, arbitrary: fc.constant(RIGHT) },
  {
    weight: 3,
    arbitrary: fc.record({
      key: fc.constantFrom('wrong', 'missing', 'unknownApp', 'unlinkedVenue', 'noVenue'),
      signed: fc.constantFrom('otherSecret', 'otherBody', 'pathAlone', 'unsigned', 'otherPartner'),
      flaw: fc.constant('none'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      key: fc.constant('good'),
      signed: fc.constant('right'),
      flaw: fc.constantFrom('type', 'broken', 'empty', 'list'),
    }),
  },
)

/** Draws a request. */
export function planned<Drawn>(name: string, drawn: fc.Arbitrary<Drawn>, wish: Wish<Drawn>): fc.Arbitrary<Plan> {
  return fc.record({ name: fc.constant(name), drawn, how: HOW, wish: fc.constant(wish as Wish<unknown>) })
}

/** Sends one request and waits for its answer. */
export class Alone implements Act {
  readonly #plan: Plan

  constructor(plan: Plan) {
    this.#plan = plan
  }

  check(): boolean {
    return true
  }

  async run(model: Model, rig: Rig): Promise<void> {
    const { want, how, asked, reply } = await exchange(this.#plan, model, rig)
    hold(model, want, how, asked, reply)
  }

  toString(): string {
    return textOf(this.#plan)
  }
}

/** Sends some requests at once, each over a connection of its own. */
export class AtOnce implements Act {
  readonly #plans: readonly Plan[]

  constructor(plans: readonly Plan[]) {
    this.#plans = plans
  }

  check(): boolean {
    return true
  }

  async run(model: Model, rig: Rig): Promise<void> {
    holdAnyOrder(model, await Promise.all(this.#plans.map((plan) => exchange(plan, model, rig))))
  }

  toString(): string {
    return `at once: ${this.#plans.map(textOf).join(' | ')}`
  }
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

/** Does something to the sandbox itself, and looks at what came of it. */
export class Deed implements Act {
  readonly #name: string
  readonly #run: (model: Model, rig: Rig) => Promise<void>

  constructor(name: string, run: (model: Model, rig: Rig) => Promise<void>) {
    this.#name = name
    this.#run = run
  }

  check(): boolean {
    return true
  }

  async run(model: Model, rig: Rig): Promise<void> {
    try {
      await this.#run(model, rig)
    } catch (error) {
      throw error instanceof Difference ? new Difference(`${this.#name}: ${error.message}`) : error
    }
  }

  toString(): string {
    return this.#name
  }
}

/** One of a list, by any number. */
export function nth<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)]
}

/** Members that are perhaps there. */
export function maybe<T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight, arbitrary })
}

/** Without the members that are undefined. */
export function given(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
