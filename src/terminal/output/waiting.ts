import { terminalSafe } from '../render/text/safe-text.ts'
import type { Output } from './output.ts'

const SHOWN_AFTER_MS = 300

const ERASE = '\r\u001b[K'

type WaitRank = 'usual' | 'news'

/** The output streams and the terminal properties that the status line needs. */
export interface WaitingScreen {
  readonly stdout: Output
  readonly stderr: Output
  /** Returns the terminal's width. Returns `null`, which hides the status line, if stderr is not a terminal. */
  readonly columns: () => number | null
  readonly sharesTerminal: () => boolean
  readonly canErase: boolean
}

/**
 * A status line on the terminal that says what the command is waiting for. The line is erased before other output and
 * after the wait.
 */
export class Waiting {
  readonly #screen: WaitingScreen
  readonly #waits: { readonly text: string; readonly rank: WaitRank }[] = []
  #timer: NodeJS.Timeout | undefined
  #shown: string | null = null
  #isSilent = false

  constructor(screen: WaitingScreen) {
    this.#screen = screen
    // Output to a file or pipe does not appear on the terminal, so it cannot overwrite the status line.
    screen.stdout.onWrite((text) => {
      if (screen.sharesTerminal()) this.#makeRoom(text.endsWith('\n'))
    })
    screen.stderr.onWrite((text) => this.#makeRoom(text.endsWith('\n')))
  }

  silence(): void {
    this.#isSilent = true
    this.#hide()
  }

  /**
   * Begins a wait and returns a function that ends it. Shows a `news` wait immediately, and any other wait after a
   * short delay.
   */
  readonly begin = (text: string, rank: WaitRank = 'usual'): (() => void) => {
    if (this.#isSilent || this.#screen.columns() === null) return () => {}
    const wait = { text, rank }
    this.#waits.push(wait)
    if (rank === 'news') this.#show()
    else this.#showSoon()
    return () => {
      const at = this.#waits.indexOf(wait)
      if (at < 0) return
      this.#waits.splice(at, 1)
      if (this.#waits.length === 0) this.#hide()
      else this.#showSoon()
    }
  }

  end(): void {
    this.#waits.length = 0
    this.#hide()
  }

  #showSoon(): void {
    this.#timer ??= setTimeout(() => this.#show(), SHOWN_AFTER_MS).unref()
  }

  #show(): void {
    this.#forgetTimer()
    const wait = this.#waits.findLast(({ rank }) => rank === 'news') ?? this.#waits.at(-1)
    if (!wait || this.#isSilent) return
    const { columns, canErase, stderr } = this.#screen
    const room = (columns() ?? 0) - 1
    const text = canErase ? terminalSafe(wait.text).slice(0, room) : terminalSafe(wait.text)
    if (text === this.#shown || room < 1) return
    this.#shown = text
    stderr.draw(canErase ? `${ERASE}${text}` : `${text}\n`)
  }

  /**
   * Erases the status line before other output. `mayReturn` is true if the output ends with a line break, so the status
   * line may be shown again.
   */
  #makeRoom(mayReturn: boolean): void {
    if (this.#waits.length === 0) return
    this.#hide()
    if (mayReturn) this.#showSoon()
  }

  #hide(): void {
    this.#forgetTimer()
    if (this.#shown !== null && this.#screen.canErase) this.#screen.stderr.draw(ERASE)
    if (this.#screen.canErase) this.#shown = null
  }

  #forgetTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
