import type { Failure } from '../../../base/failure/failure.ts'
import { hintOf } from '../../output/next/hint.ts'
import { formatReportJson, formatReportText } from '../error-report.ts'
import { flagsOfCommand, type Host } from '../host.ts'

type TellOptions = Readonly<{ host: Host; count: number; command: string; isJson: boolean }>

/** Reports failures on stderr. On a terminal, also shows how many venues have finished and which are being read. */
export class VenueReports {
  readonly #options: TellOptions
  readonly #underWay = new Set<string>()
  #ended = 0
  #total: { what: string; venues: number; counts: Readonly<Record<string, number>> } | null = null
  #over: () => void = () => {}

  constructor(options: TellOptions) {
    this.#options = options
  }

  begin(profile: string): void {
    this.#underWay.add(profile)
    this.#wait()
  }

  addUp(what: string, counts: Readonly<Record<string, number>>): void {
    const { counts: before = {}, venues = 0 } = this.#total ?? {}
    const names = Object.keys({ ...before, ...counts })
    const sums = names.map((name) => [name, (before[name] ?? 0) + (counts[name] ?? 0)])
    this.#total = { what, venues: venues + 1, counts: Object.fromEntries(sums) }
  }

  async printTotal(): Promise<void> {
    if (this.#total === null) return
    const { what, venues, counts } = this.#total
    const words = Object.entries(counts).map(([name, sum]) => `${sum} ${name}`)
    await this.#options.host.stderr.write(`${what} of ${venues} profiles: ${words.join(', ')}\n`)
  }

  async failed(profile: string, failure: Failure): Promise<void> {
    const { host, command, isJson } = this.#options
    this.ended(profile)
    const typed = ['--profile', profile]
    const hint = await hintOf(failure, { command, typed, flagsOf: (id) => flagsOfCommand(host, id) })
    const named = failure.withWords(`${profile} (exit ${failure.exitCode})${failure.words && `: ${failure.words}`}`)
    named.service = failure.service
    await host.stderr.writeEvenIfQuiet(
      isJson
        ? formatReportJson(failure, hint, profile)
        : await formatReportText(named, hint, host.stderrScreen, host.stderr.hidden),
    )
  }

  ended(profile: string): void {
    this.#ended++
    this.#underWay.delete(profile)
    this.#wait()
  }

  #wait(): void {
    const { host, count } = this.#options
    const before = this.#over
    const names = [...this.#underWay].join(', ')
    this.#over = names === '' ? () => {} : host.waiting.begin(`${this.#ended} of ${count} done, reading ${names}`)
    before()
  }
}
