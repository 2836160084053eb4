import { writeSync } from 'node:fs'
import { join } from 'node:path'
import type { answer } from '../completion/answer.ts'
import { showInPager } from './pager.ts'
import { pageFor } from './pages.ts'

// This file becomes dist/launch.cjs. That file and run.cjs must load in Node 14.18. Help, version and completion
// requests are answered without loading the rest of the program.

const COMPLETION = join(import.meta.dirname, 'completion')

/** Runs a command line and sets the exit code. */
export async function start(argv: readonly string[]): Promise<void> {
  if (argv[0] === '__complete') return complete(argv.slice(1))
  const isPlain = argv.includes('--no-pager')
  const page = pageFor(isPlain ? argv.filter((word) => word !== '--no-pager') : argv)
  if (page !== null) return !isPlain && showInPager(page, process.env) ? undefined : print(page)
  const { run } = require(join(import.meta.dirname, 'run.cjs')) as typeof import('./run.ts')
  return run(argv[0] === '--no-pager' ? argv.slice(1) : argv)
}

/** Prints completions for a shell's completion script. */
function complete(words: readonly string[]): void {
  try {
    const answering = require(join(COMPLETION, 'answer.cjs')) as { readonly answer: typeof answer }
    print(answering.answer(words, process.env, join(COMPLETION, 'table.json')))
  } catch {
    // Print nothing, so that the shell uses its own completion.
  }
}

/** Writes text to stdout synchronously. Keeps trying while a pipe is full. */
function print(text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EAGAIN') continue
      process.exitCode = code === 'EPIPE' ? 0 : 1
      if (code !== 'EPIPE') writeSync(2, `error: cannot write to stdout (${code})\n`)
      return
    }
  }
}
