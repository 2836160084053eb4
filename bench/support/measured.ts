import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The resources that a program used. */
export interface Taken {
  readonly seconds: number
  /** User and system CPU time. `null` if unknown. */
  readonly cpuSeconds: number | null
  /** Peak memory. `null` if unknown. */
  readonly peakMiB: number | null
  readonly stderr: string
}

/** Runs programs and measures the resources that they use. */
export class Measuring {
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #reporter: string

  constructor(home: string, env: Readonly<Record<string, string | undefined>>) {
    this.#env = env
    this.#reporter = join(home, 'taken.cjs')
    writeFileSync(
      this.#reporter,
      `process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  require('node:fs').writeSync(3, JSON.stringify({ peakMiB: maxRSS / 1024, user: userCPUTime / 1e6, system: systemCPUTime / 1e6 }))
})\n`,
    )
  }

  /** Runs a Node program. Fails if it exits with any other code. */
  node(args: readonly string[], mayEndWith: readonly number[] = [0]): Promise<Taken> {
    return this.program(process.execPath, ['--require', this.#reporter, ...args], mayEndWith)
  }

  /** Runs a line of bash. Fails if any program in it fails. */
  bash(line: string): Promise<Taken> {
    const timed = `TIMEFORMAT='{"user":%U,"system":%S}'; exec 4>&2; { time { ${line} 2>&4; }; } 2>&3`
    return this.program('bash', ['-o', 'pipefail', '-c', timed])
  }

  /** Runs a program. Fails if it exits with any other code. */
  program(command: string, args: readonly string[], mayEndWith: readonly number[] = [0]): Promise<Taken> {
    return new Promise((resolve, reject) => {
      const started = performance.now()
      const child = spawn(command, args, { env: this.#env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
      let [stderr, report] = ['', '']
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr += chunk
      })
      child.stdio[3]?.on('data', (chunk: Buffer) => {
        report += chunk
      })
      child.once('error', reject)
      child.once('close', (code) => {
        const seconds = (performance.now() - started) / 1000
        if (!mayEndWith.includes(code ?? -1))
          return reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${stderr}`))
        const { peakMiB = null, user, system } = report === '' ? {} : JSON.parse(report)
        resolve({ peakMiB, cpuSeconds: user === undefined ? null : user + system, seconds, stderr })
      })
    })
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
