import { randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordBatches } from '../../../base/json/list/wire-record.ts'
import { discard } from '../../../base/storage/rename-remove.ts'
import { recordsIn } from './tagged.ts'

/** The maximum size of a venue's output in memory. Larger output is written to a file. */
const HELD_BYTES = 1024 * 1024
const READ_BYTES = 256 * 1024

/**
 * Lines that are waiting to be printed. If there are many, they are stored in an unnamed temporary file, which
 * disappears when the process ends.
 */
export class Spool {
  #held: Buffer[] = []
  #heldBytes = 0
  #file: { readonly handle: FileHandle; readonly path: string } | null = null

  async add(lines: Buffer): Promise<void> {
    this.#held.push(lines)
    this.#heldBytes += lines.length
    if (this.#heldBytes > HELD_BYTES) await this.#toFile()
  }

  async *batches(): RecordBatches {
    if (this.#file !== null) yield* fromFile(this.#file.handle)
    for (const lines of this.#held) yield recordsIn(lines)
  }

  async close(): Promise<void> {
    this.#held = []
    const file = this.#file
    this.#file = null
    await file?.handle.close()
    if (file !== null) discard(file.path)
  }

  async #toFile(): Promise<void> {
    const bytes = Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    this.#file ??= await openUnnamed()
    await this.#file.handle.appendFile(bytes)
  }
}

/** Opens a temporary file and, if the system allows it, unlinks the file immediately. */
async function openUnnamed() {
  const path = join(tmpdir(), `partner-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  discard(path, 0)
  return { handle, path }
}

async function* fromFile(handle: FileHandle): RecordBatches {
  let rest = Buffer.alloc(0)
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at)
    if (bytesRead === 0) return
    at += bytesRead
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
    const end = bytes.lastIndexOf(0x0a) + 1
    rest = bytes.subarray(end)
    if (end > 0) yield recordsIn(bytes.subarray(0, end))
  }
}
