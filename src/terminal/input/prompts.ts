import inquirer from 'inquirer'
import { Failure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { terminalSafe } from '../render/text/safe-text.ts'
import { openRuler } from '../render/text/width.ts'
import type { Host } from '../runtime/host.ts'

interface Question {
  readonly type: 'confirm' | 'password' | 'input' | 'select'
  readonly message: string
  readonly [option: string]: unknown
}

/**
 * Prompts on stderr, because stdout is for data. Throws Interrupted on Ctrl-C, on another signal, or at the end of
 * input.
 */
async function prompt(host: Host, question: Question): Promise<unknown> {
  const left = new AbortController()
  const unwatch = onEndOfInput(host, () => left.abort())
  const signal = AbortSignal.any([host.signal, left.signal])
  try {
    const ask = inquirer.createPromptModule({ input: process.stdin, output: process.stderr, signal })
    return (await ask<{ answer: unknown }>([{ ...question, name: 'answer' }])).answer
  } catch (error) {
    // After a signal, any error is a consequence of the signal: for example, a closed terminal cannot be restored.
    if (host.signal.aborted) throw Interrupted.atInput((host.signal.reason as Interrupted).by)
    const hasExited = error instanceof Error && error.name === 'ExitPromptError'
    // Ctrl-C also ends the prompt's input, so check for Ctrl-C first.
    if (hasExited && /SIGINT/.test(error.message)) throw Interrupted.atInput('Ctrl-C')
    if (left.signal.aborted) throw Interrupted.atInput(END_OF_INPUT)
    if (hasExited) throw Interrupted.atInput('Ctrl-C')
    throw error
  } finally {
    unwatch()
  }
}

const END_OF_INPUT = 'the end of input'

/** Calls `leave` when readline stops reading, which happens after an answer and after Ctrl-D. */
function onEndOfInput(host: Host, leave: () => void): () => void {
  const { stdin } = process
  let isWaking = false
  // Ctrl-Z also pauses the input, but does not end it.
  const wake = () => {
    isWaking = true
  }
  const paused = () => {
    if (!isWaking) return leave()
    isWaking = false
    stdin.resume()
  }
  // Stops the command when the terminal is closed.
  const stop = () => host.stop(END_OF_INPUT)
  process.on('SIGCONT', wake)
  stdin.on('pause', paused)
  for (const event of ['end', 'close', 'error']) stdin.on(event, stop)
  return () => {
    process.off('SIGCONT', wake)
    stdin.off('pause', paused)
    for (const event of ['end', 'close', 'error']) stdin.off(event, stop)
    // Pause again. After Ctrl-Z, readline wrongly assumes that the input is paused, and unpaused input would keep the
    // process alive.
    stdin.pause()
  }
}

const DEFAULT_COLUMNS = 80
const MIN_NAME_COLUMNS = 20
const POINTER_COLUMNS = 3

/** Asks a yes/no question. The default answer is no. */
export async function askYesNo(host: Host, question: string): Promise<boolean> {
  return (await prompt(host, { type: 'confirm', message: terminalSafe(question), default: false })) === true
}

/** Prompts for a secret, shown as bullets. `check` returns the problem with the text, or `null` if it is valid. */
export async function askSecret(host: Host, question: string, check: (text: string) => string | null): Promise<string> {
  const validate = (typed: string) => check(typed) ?? true
  return String(await prompt(host, { type: 'password', message: question, mask: '•', validate }))
}

/** Returns the message of the Failure that `check` throws, or `null` if it succeeds. */
export function problemOf(check: () => unknown): string | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

export type TextQuestion = { readonly initial?: string | undefined; readonly startsOver?: boolean }

/** Prompts for a line of text. `check` returns the problem with the text, or `null` if it is valid. */
export async function askText(
  host: Host,
  question: string,
  check: (text: string) => string | null,
  { initial, startsOver = false }: TextQuestion = {},
): Promise<string> {
  const answer = await prompt(host, {
    type: 'input',
    message: question,
    ...(initial === undefined ? {} : { default: initial }),
    validate: (typed: string) => check(typed.trim()) ?? true,
    theme: { validationFailureMode: startsOver ? 'clear' : 'keep' },
  })
  return String(answer).trim()
}

/** Prompts for one of several choices, one per row. Escapes their names, which may come from the service. */
export async function askChoice<T>(host: Host, question: string, choices: readonly { name: string; value: T }[]) {
  const names = choices.map(({ name }) => terminalSafe(name))
  const ruler = await openRuler(names)
  const room = Math.max(MIN_NAME_COLUMNS, (process.stderr.columns || DEFAULT_COLUMNS) - POINTER_COLUMNS)
  const shown = names.map((name, index) => ({ name: ruler.truncate(name, room), value: index }))
  const index = await prompt(host, { type: 'select', message: question, pageSize: 12, choices: shown })
  const choice = choices[Number(index)]
  if (!choice) throw Interrupted.atInput('Ctrl-C')
  return choice.value
}
