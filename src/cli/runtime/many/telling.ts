import type { Failure } from '../../../failure/failure.ts'
import { terminalSafe } from '../../../render/text/safe-text.ts'
import { hintOf } from '../../output/next/hint.ts'
import { formatReportJson, formatReportText } from '../error-report.ts'
import { flagsOfCommand, type Host } from '../host.ts'

/** How what becomes of each venue is told. */
export interface TellOptions {
  readonly host: Host
  /** How many venues there are. */
  readonly count: number
  /** The words of the command. */
  readonly command: string
  /** Whether errors are for a program. */
  readonly isJson: boolean
  /** Whether a run that ends well has said so itself. */
  readonly saysItself: boolean
}

/** Tells on stderr what becomes of each venue: at a terminal who is waited for and who is done, and everywhere who failed. */
export class Telling {
  readonly #options: TellOptions
  readonly #underWay = new Set<string>()
  #ended = 0
  #over: () => void = () => {}

  constructor(options: TellOptions) {
    this.#options = options
  }

  /** The run of a venue has begun. */
  begin(profile: string): void {
    this.#underWay.add(profile)
    this.#wait()
  }

  /** It has ended well, and has shown so many records; null: it has shown something else. */
  async done(profile: string, records: number | null): Promise<void> {
    const { host, count, saysItself } = this.#options
    this.#end(profile)
    if (saysItself || host.stderrScreen.columns === null) return
    const shown = records === null ? '' : records === 1 ? ', 1 record' : `, ${records} records`
    await host.stderr.write(`${terminalSafe(`${profile}: done${shown} (${this.#ended} of ${count})`)}\n`)
  }

  /** It has failed. */
  async failed(profile: string, failure: Failure): Promise<void> {
    const { host, command, isJson } = this.#options
    this.#end(profile)
    const typed = ['--profile', profile]
    const hint = await hintOf(failure, { command, typed, flagsOf: (id) => flagsOfCommand(host, id) })
    const named = failure.withWords(`${profile} (exit ${failure.exitCode})${failure.words && `: ${failure.words}`}`)
    named.service = failure.service
    await host.stderr.insist(
      isJson
        ? formatReportJson(failure, hint, profile)
        : await formatReportText(named, hint, host.stderrScreen, host.stderr.hidden),
    )
  }

  /** It has ended with an exit code, and has said itself why. */
  ended(profile: string): void {
    this.#end(profile)
  }

  #end(profile: string): void {
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
