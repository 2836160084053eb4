import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMIT_MS } from './limit.ts'
import { cleanEnvironment, type Environment, TOOL_IN_SHELL, tryWithoutShell } from './partner.ts'
import { until } from './until.ts'
import { IS_WINDOWS, replaceDirectory } from './windows.ts'

/** A command on a documentation page, with the output that the page shows below it. */
export interface ShownCommand {
  readonly command: string
  readonly output: string
}

/** Returns the commands on a page and their documented output, in order. */
export function commandsOn(page: string): ShownCommand[] {
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .split(/^(?=\$ )/m)
      .filter((part) => part.startsWith('$ '))
      .map((part) => {
        const [first = '', ...rest] = part.split('\n')
        return { command: first.slice(2), output: rest.join('\n') }
      }),
  )
}

/** Returns the files that a page tells its reader to save. The language of a code block determines the file's name. */
export function filesOn(page: string): { readonly name: string; readonly text: string }[] {
  return [...page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => ({ name, text }))
}

export class PageSession {
  readonly #shell: ChildProcessWithoutNullStreams
  #said = ''
  #marks = 0
  readonly #receiverPort: string
  /** The shell stores its variables in this file after each command. */
  readonly #variables: string
  #env: Environment

  /** `receiverPort` is the port of the server that the documentation page starts in the background. */
  constructor(home: string, receiverPort: string) {
    this.#receiverPort = receiverPort
    const bin = join(home, 'bin')
    this.#variables = join(bin, 'variables')
    mkdirSync(bin)
    writeFileSync(join(bin, 'partner'), `#!/bin/sh\nexec ${TOOL_IN_SHELL} "$@"\n`, { mode: 0o755 })
    const env = cleanEnvironment({ HOME: home, TMPDIR: home, PWD: home })
    this.#env = { ...env, PATH: `${bin}:${env['PATH']}` }
    this.#shell = spawn('bash', { cwd: home, env: this.#env, detached: true })
    this.#shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text
    })
  }

  /** Runs a command and returns its output. A command that starts a server keeps running in the background. */
  async run(command: string): Promise<string> {
    const isServer = command.includes('sandbox start')
    const options = { env: this.#env, cwd: this.#env['PWD'], isMerged: true }
    const run = isServer ? null : await tryWithoutShell(command, options)
    return run === null ? this.#runInShell(command, isServer) : run.stdout + run.stderr
  }

  async #runInShell(command: string, isServer: boolean): Promise<string> {
    const mark = `--${++this.#marks}--`
    this.#said = ''
    this.#shell.stdin.write(
      isServer
        ? `${command} > started 2>&1 & until grep -q Ctrl-C started; do sleep 0.05; done; cat started; echo ${mark}\n`
        : `{ ${command.replace(/&$/, `& ${this.#untilListening()}`)}\n} 2>&1; env -0 > '${this.#variables}'; echo ${mark}\n`,
    )
    await until(() => this.#said.includes(`${mark}\n`)).catch(() => {
      throw new Error(`still running: ${command}\n${this.#said}`)
    })
    if (!isServer) this.#env = this.#readVariables()
    return this.#said.slice(0, this.#said.indexOf(mark))
  }

  #readVariables(): Environment {
    const lines = readFileSync(this.#variables, 'utf8').split('\0').slice(0, -1)
    return Object.fromEntries(lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]))
  }

  #untilListening(): string {
    return `until { : > /dev/tcp/127.0.0.1/${this.#receiverPort}; } 2> /dev/null; do sleep 0.05; done`
  }

  end(): void {
    if (this.#shell.pid !== undefined) process.kill(-this.#shell.pid, 'SIGKILL')
  }
}

/**
 * Replaces everything that differs between runs, such as times, ports, durations and column widths. Also removes the
 * number of changes since the last sync, which varies because the service dates its responses only to the second.
 */
export function withoutVaryingParts(output: string, home: string): string {
  return replaceDirectory(output, home, '~')
    .replaceAll('~/AppData/Local/partner/Data', '~/.local/share/partner')
    .replaceAll('\r', '')
    .replace(/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?=\d{4}-\d\d-\d\d)/g, '')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?|\d\d-\d\d \d\d:\d\d:\d\d/g, '<time>')
    .replace(/\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d\.\d+Z/g, '<time>')
    .replace(/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \d+ [A-Z][a-z]{2} \d{4}(?: \d\d:\d\d(?::\d\d GMT)?)?/g, '<day>')
    .replace(/127\.0\.0\.1:\d+/g, '<address>')
    .replace(/token=[0-9a-f]{48}/g, 'token=<token>')
    .replace(/(in )?\d+ days( ago)?/g, '<days>')
    .replace(/[\d.]+[dhms]( \d+h)? ahead/g, '<length> ahead')
    .replace(/\d+(\.\d+)? (ms|s)\b/g, '<length>')
    .replace(/("people":)\d+(,"status.code":")[^"]*/g, '$1<n>$2<code>')
    .replace(/(giftcards\.\w+ +)[\d.]+/g, '$1<ms>')
    .replace(/(<time> +\d{3}) +\d+$/gm, '$1 <ms>')
    .replace(/"ms":\d+/g, '"ms":<ms>')
    .replace(/\d+ (new|unchanged|compared|requests)\b/g, '<n> $1')
    .replace(/; \d+ changed since the last sync/g, '')
    .replace(/(Behind +)[\d.]+m?s( \d+s)?/g, '$1<length>')
    .replace(/(Records +)\d+/g, '$1<n>')
    .replace(/op_[0-9a-f]{10}/g, '<operation>')
    .replace(/ +/g, ' ')
    .trim()
}

/** Returns whether this machine has the programs that a documented command needs. */
export function canRun(command: string): boolean {
  // Wine cannot run Linux programs. It can run `node --test`, but `fetch` cannot connect to servers in those tests.
  if (IS_WINDOWS && / -- (?:sh|bash|python3|node --test) /.test(command)) return false
  return ['curl', 'python3']
    .filter((program) => command.includes(program))
    .every((program) => spawnSync(program, ['--version'], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0)
}
