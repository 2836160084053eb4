import inquirer from 'inquirer'
import { Interrupted } from '../http/errors.ts'

/** Prompts go to stderr: stdout is for data. */
function prompts() {
  return inquirer.createPromptModule({ input: process.stdin, output: process.stderr })
}

/** Leaving a prompt with Ctrl-C is an interruption like any other. */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError'))
      throw new Interrupted('Ctrl-C')
    throw error
  }
}

/** A question whose answer is no unless the person types y. */
export async function askYesNo(question: string): Promise<boolean> {
  const { yes } = await answered(prompts()([{ type: 'confirm', name: 'yes', message: question, default: false }]))
  return yes === true
}

/** A secret, typed without being shown. */
export async function askSecret(question: string): Promise<string> {
  const { secret } = await answered(prompts()([{ type: 'password', name: 'secret', message: question, mask: '•' }]))
  return String(secret)
}

/** A line of text; `check` says what is wrong with it, or null. */
export async function askText(
  question: string,
  check: (text: string) => string | null,
  initial?: string,
): Promise<string> {
  const { text } = await answered(
    prompts()([
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

/** One of several. */
export async function askChoice<T>(question: string, choices: readonly { name: string; value: T }[]): Promise<T> {
  const { index } = await answered(
    prompts()([
      {
        type: 'select',
        name: 'index',
        message: question,
        pageSize: 12,
        choices: choices.map(({ name }, index) => ({ name, value: index })),
      },
    ]),
  )
  const choice = choices[Number(index)]
  if (!choice) throw new Interrupted('Ctrl-C')
  return choice.value
}
