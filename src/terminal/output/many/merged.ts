import type { WireRecord } from '../../../base/json/list/wire-record.ts'
import { toIncomplete } from '../../../client/calls/list.ts'
import { genericListView } from '../../render/generic-views.ts'
import { paint } from '../../render/text/tone.ts'
import type { ListView } from '../../render/view.ts'
import type { Host } from '../../runtime/host.ts'
import { Printer, singleBatch } from '../printer.ts'
import { Channel } from './channel.ts'
import { ManyView } from './many-view.ts'
import { Spool } from './spool.ts'
import { PROFILE_MEMBER, recordsIn, taggedLines } from './tagged.ts'
import type { Printing, PrintOptions } from './venue.ts'

type Shown = { readonly spools: Spool[]; text: string; readonly ended: PromiseWithResolvers<void> }

/** The error if no venue has a complete list. In this case, not even an empty list is printed. */
const NOTHING = new Error('no venue has printed a list')

/** Merges the output of several venues. Prints complete lists in profile order, but NDJSON as it arrives. */
export class Merged {
  readonly #host: Host
  readonly #shown: ReadonlyMap<string, Shown>
  readonly #channel = new Channel<readonly WireRecord[]>()
  readonly #view = new ManyView()
  #hasBegun = false
  #list: Promise<void> = Promise.resolve()
  #hasBlock = false
  #isKept = false
  readonly #inOrder: Promise<void>

  /** `onTrouble` is called if printing fails, for example because the reader has exited. */
  constructor(host: Host, profiles: readonly string[], onTrouble: (error: unknown) => void) {
    this.#host = host
    const shown = (): Shown => ({ spools: [], text: '', ended: Promise.withResolvers() })
    this.#shown = new Map(profiles.map((profile) => [profile, shown()]))
    this.#onTrouble = (error) => {
      this.#channel.fail(error)
      onTrouble(error)
    }
    this.#inOrder = this.#printInOrder()
    this.#inOrder.catch(this.#onTrouble)
  }

  readonly #onTrouble: (error: unknown) => void

  printerFor(profile: string, options: PrintOptions): Printing {
    const list: Printing['list'] = async (batches, view, limit = Number.POSITIVE_INFINITY) => {
      await this.#begin(profile, options, view)
      const isStream = options.format === 'ndjson' && options.query === null
      const spool = new Spool()
      let given = 0
      try {
        if (limit > 0)
          for await (const batch of batches) {
            const taken = batch.slice(0, limit - given)
            given += taken.length
            const lines = taggedLines(profile, taken)
            if (isStream && taken.length > 0) await this.#channel.push(recordsIn(lines))
            else await spool.add(lines)
            if (given >= limit) break
          }
      } catch (error) {
        await spool.close()
        throw toIncomplete(error, given)
      }
      this.#isKept = true
      this.#view.keep(profile, view)
      this.#of(profile).spools.push(spool)
    }
    return {
      list,
      genericList: (batches, limit) => list(batches, genericListView([]), limit),
      one: (record, views) => list(singleBatch([record]), { ...views.list, card: views.card }),
    }
  }

  addText(profile: string, text: string): void {
    this.#of(profile).text += text
  }

  end(profile: string): void {
    this.#of(profile).ended.resolve()
  }

  /** Prints the remaining output after all runs have ended. Throws the same errors as `Printer.list`. */
  async finish(): Promise<void> {
    await this.#inOrder
    for (const [profile, shown] of this.#shown) await this.#printAll(profile, shown)
    if (this.#isKept) this.#channel.end()
    else this.#channel.fail(NOTHING)
    await this.#list.catch((error) => {
      if (error !== NOTHING) throw error
    })
    this.#hasBlock ||= this.#isKept
    for (const [profile, shown] of this.#shown) await this.#printText(profile, shown)
  }

  /** Ends the output after a complete record. Leaves a JSON array open, so that no parser accepts it as complete. */
  async abort(error: unknown): Promise<void> {
    this.#channel.fail(error)
    await this.#list.catch(() => {})
    for (const { spools } of this.#shown.values()) for (const spool of spools) await spool.close()
  }

  #of(profile: string): Shown {
    const shown = this.#shown.get(profile)
    if (shown === undefined) throw new Error(`no output is expected from profile ${profile}`)
    return shown
  }

  async #begin(profile: string, options: PrintOptions, view: ListView): Promise<void> {
    const context = await options.context()
    this.#view.add(profile, view, context)
    if (this.#hasBegun) return
    this.#hasBegun = true
    const { columns } = options
    const many = this.#view
    const printer = new Printer({
      ...options,
      host: this.#host,
      columns: columns === null || columns.includes(PROFILE_MEMBER) ? columns : [PROFILE_MEMBER, ...columns],
      context: async () => ({
        now: context.now,
        get timezone() {
          return many.timezone
        },
      }),
    })
    this.#list = printer.list(this.#channel, many.view)
    this.#list.catch((error) => error === NOTHING || this.#onTrouble(error))
  }

  async #printInOrder(): Promise<void> {
    // On a terminal, print all records at the end, because error messages would interrupt the list.
    const isTerminal = this.#host.stdoutScreen.columns !== null
    for (const [profile, shown] of this.#shown) {
      await shown.ended.promise
      // If the command was stopped, leave the remaining output to `abort` or `finish`.
      if (this.#host.signal.aborted) return
      if (!isTerminal) await this.#printAll(profile, shown)
    }
    if (isTerminal) for (const [profile, shown] of this.#shown) await this.#printAll(profile, shown)
  }

  async #printAll(profile: string, shown: Shown): Promise<void> {
    // If the list has already begun, print the venue's text after the list.
    if (!this.#hasBegun) await this.#printText(profile, shown)
    for (const spool of shown.spools.splice(0))
      try {
        for await (const batch of spool.batches()) await this.#channel.push(batch)
      } finally {
        await spool.close()
      }
  }

  async #printText(profile: string, shown: Shown): Promise<void> {
    const { text } = shown
    if (text === '') return
    shown.text = ''
    const { stdout, stdoutScreen } = this.#host
    const heading = `${this.#hasBlock ? '\n' : ''}${paint('strong', profile, stdoutScreen)}\n`
    this.#hasBlock = true
    await stdout.write(`${heading}${text}`)
  }
}
