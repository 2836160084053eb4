import { closeSync, writeSync } from 'node:fs'

const FOOTER = '\n]}}\n'

/** Writes a HAR 1.2 file that is valid JSON after each entry. Throws system errors unchanged. */
export class HarWriter {
  readonly #descriptor: number
  #end = 0
  #separator = '\n'

  /** Writes to `descriptor`, which must refer to an empty file. `close` closes it. */
  constructor(descriptor: number, creator: { readonly name: string; readonly version: string }) {
    this.#descriptor = descriptor
    this.#write(`{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`)
  }

  add(entry: string): void {
    this.#write(this.#separator + entry)
    this.#separator = ',\n'
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #write(text: string): void {
    const bytes = Buffer.from(text + FOOTER)
    for (let at = 0; at < bytes.length; )
      at += writeSync(this.#descriptor, bytes, at, bytes.length - at, this.#end + at)
    this.#end += bytes.length - FOOTER.length
  }
}
