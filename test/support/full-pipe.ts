import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { freshDirectory } from './partner.ts'

/** A pipe that is full until the test reads it. */
export interface FullPipe {
  /** The file descriptor to pass to the program that writes to the pipe. */
  readonly descriptor: number
  /** Returns everything in the pipe except the bytes that filled it. */
  read(): string
}

export function fullPipe(): FullPipe {
  const path = join(freshDirectory(), 'pipe')
  execFileSync('mkfifo', [path])
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(descriptor))
  const bytes = Buffer.alloc(65_536)
  for (const size of [bytes.length, 4096, 1]) untilBlocked(() => writeSync(descriptor, bytes, 0, size))
  return {
    descriptor,
    read: () => {
      let text = ''
      const buffer = Buffer.alloc(bytes.length)
      untilBlocked(() => {
        text += buffer.toString('utf8', 0, readSync(descriptor, buffer))
      })
      return text.replaceAll('\0', '')
    },
  }
}

/** Repeats an operation on a pipe until the pipe is full or empty. */
function untilBlocked(work: () => void): void {
  try {
    for (;;) work()
  } catch (error) {
    expect(error).toMatchObject({ code: 'EAGAIN' })
  }
}
