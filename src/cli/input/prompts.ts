import inquirer from 'inquirer'
import { Interrupted } from '../../failure/interrupted.ts'
import { terminalSafe } from '../../render/text/safe-text.ts'
import { openRuler } from '../../render/text/width.ts'
import { onSignals } from '../runtime/stopping.ts'

/**
 * Asks on stderr, as stdout is for data. Leaving a prompt with Ctrl-C is an interruption like any other, and so are a signal
 * from elsewhere and the end of input, which a prompt would sit out.
 */
async function asked<T>(work: (ask: ReturnType<typeof inquirer.createPromptModule>) => Promise<T>): Promise<T> {
  const leaving = new AbortController()
  let why = 'Ctrl-C'
  const leave = (by: string) => {
    why = by
    leaving.abort()
  }
  const unwatch = [onSignals(leave), onEndOfInput(() => leave('the end of input'))]
  try {
    const { signal } = leaving
    return await work(inquirer.createPromptModule({ input: process.stdin, output: process.stderr, signal }))
  } catch (error) {
    // Whatever it fails with then: the mode of a terminal that is gone cannot be put back.
    if (leaving.signal.aborted || (error instanceof Error && error.name === 'ExitPromptError'))
      throw new Interrupted(why)
    throw error
  } finally {
    for (const end of unwatch) end()
  }
}

/** Calls `end` when nothing more can be typed: after Ctrl-D, which a terminal takes for text, readline pauses its input for good. */
function onEndOfInput(end: () => void): () => void {
  const { stdin } = process
  let isWaking = false
  // A command that wakes from Ctrl-Z has its input paused as well, and goes on.
  const wake = () => {
    isWaking = true
  }
  const paused = () => {
    if (!isWaking) return end()
    isWaking = false
    stdin.resume()
  }
  process.on('SIGCONT', wake)
  stdin.on('pause', paused)
  for (const event of ['end', 'close', 'error']) stdin.on(event, end)
  return () => {
    process.off('SIGCONT', wake)
    stdin.off('pause', paused)
    for (const event of ['end', 'close', 'error']) stdin.off(event, end)
    // readline thinks that it is paused when the command was asleep; flowing, it would keep the process alive.
    stdin.pause()
  }
}

const USUAL_COLUMNS = 80
const NARROWEST = 20
/** What stands before a choice. */
const POINTER_COLUMNS = 3

/** A question whose answer is no unless the person types y. */
export async function askYesNo(question: string): Promise<boolean> {
  const { yes } = await asked((ask) =>
    ask([{ type: 'confirm', name: 'yes', message: terminalSafe(question), default: false }]),
  )
  return yes === true
}

/** A secret, typed without being shown. */
export async function askSecret(question: string): Promise<string> {
  const { secret } = await asked((ask) => ask([{ type: 'password', name: 'secret', message: question, mask: '•' }]))
  return String(secret)
}

/** A line of text; `check` says what is wrong with it, or null. */
export async function askText(
  question: string,
  check: (text: string) => string | null,
  initial?: string,
): Promise<string> {
  const { text } = await asked((ask) =>
    ask([
      {
        type: 'input',
        name: 'text',
        message: question,
        ...(initial === undefined ? {} : { default: initial }),
        validate: (typed: string) => check(typed.trim()) ?? true,
      },
    ]),
  )
  return String(text).trim()
}

/** One of several; what they are called may come from the service, and is shown on one row each. */
export async function askChoice<T>(question: string, choices: readonly { name: string; value: T }[]): Promise<T> {
  const names = choices.map(({ name }) => terminalSafe(name))
  const ruler = await openRuler(names)
  const room = Math.max(NARROWEST, (process.stderr.columns || USUAL_COLUMNS) - POINTER_COLUMNS)
  const { index } = await asked((ask) =>
    ask([
      {
        type: 'select',
        name: 'index',
        message: question,
        pageSize: 12,
        choices: names.map((name, index) => ({ name: ruler.truncate(name, room), value: index })),
      },
    ]),
  )
  const choice = choices[Number(index)]
  if (!choice) throw new Interrupted('Ctrl-C')
  return choice.value
}
