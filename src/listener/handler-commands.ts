import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** How a command ended. */
export interface CommandEnd {
  /** Whether its exit code was 0. */
  readonly isDone: boolean
  /** In words: `exit code 3`, `ended by SIGKILL`, `it cannot be run (ENOENT)`. */
  readonly words: string
}

/** A command for one delivery. */
export interface CommandRun {
  /** Its standard input. */
  readonly input: Uint8Array
  /** Variables, besides those of the environment. */
  readonly env: Readonly<Record<string, string>>
}

/** How many commands run at the same time. */
const AT_ONCE = 8

/** Runs a shell command for each delivery, several at a time; those beyond wait for their turn. */
export class HandlerCommands {
  readonly #command: string
  readonly #env: NodeJS.ProcessEnv
  readonly #waiting: (() => void)[] = []
  readonly #underWay = new Set<Promise<CommandEnd>>()
  #free = AT_ONCE

  /** @param env what the command may know: no secret. */
  constructor(command: string, env: NodeJS.ProcessEnv) {
    this.#command = command
    this.#env = env
  }

  /**
   * Runs the command to its end. `isWanted` is asked once its turn has come; null: it no longer was. Its output goes to stderr.
   * Never fails.
   */
  async run(run: CommandRun, isWanted: () => boolean): Promise<CommandEnd | null> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      if (!isWanted()) return null
      const work = this.#spawn(run)
      this.#underWay.add(work)
      const end = await work
      this.#underWay.delete(work)
      return end
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  /** How many are running. */
  get underWay(): number {
    return this.#underWay.size
  }

  /** Waits until no command runs. */
  async ended(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  #spawn({ input, env }: CommandRun): Promise<CommandEnd> {
    return new Promise((resolve) => {
      // A group of its own: a Ctrl-C at the terminal is for us, and what was accepted is finished.
      const child = spawn(this.#command, {
        shell: true,
        detached: process.platform !== 'win32',
        stdio: ['pipe', 2, 2],
        env: { ...this.#env, ...env },
      })
      child.on('error', (error: NodeJS.ErrnoException) =>
        resolve({ isDone: false, words: `it cannot be run (${error.code ?? error.message})` }),
      )
      child.on('exit', (code, signal) =>
        resolve({ isDone: code === 0, words: signal === null ? `exit code ${code}` : endedBy(signal) }),
      )
      // A command need not read what it is given.
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(input)
    })
  }
}

function endedBy(signal: NodeJS.Signals): string {
  return `ended by ${signal} (${constants.signals[signal]})`
}
