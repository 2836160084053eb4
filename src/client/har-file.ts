import { fchmodSync } from 'node:fs'
import { Failure, usageFailure } from '../base/failure/failure.ts'
import { hideSecrets } from '../base/redaction/redaction.ts'
import { openOwnFile } from '../base/storage/own-file.ts'
import { describeSystemError } from '../base/storage/system-error.ts'
import type { HarEntry } from '../http/har.ts'
import { HarWriter } from '../http/har-writer.ts'

export interface HarFile {
  add(entry: HarEntry): void
  /** Closes the file. Returns a description of the problem if the file is incomplete, otherwise `null`. */
  close(): string | null
}

/**
 * Creates a HAR 1.2 file that only its owner can read. Hides the secrets that `secrets` returns. Throws USAGE if the
 * file cannot be written.
 */
export function openHarFile(path: string, version: string, secrets: () => readonly string[]): HarFile {
  const file = begin(path, version)
  let trouble: string | null = null
  const attempt = (work: () => void) => {
    try {
      if (trouble === null) work()
    } catch (error) {
      // Report the problem only in `close`, because a full disk must not make the request to the service fail.
      trouble = `--har could not write all of ${path}: ${describeSystemError(error)}`
    }
  }
  return {
    add: (entry) => attempt(() => file.add(hideSecrets(JSON.stringify(entry), secrets()))),
    close: () => {
      attempt(() => file.close())
      return trouble
    },
  }
}

function begin(path: string, version: string): HarWriter {
  try {
    if (path === '') throw new Error('its name is empty')
    const descriptor = openOwnFile(path, 'replace')
    // Restrict the mode here too, because an existing file keeps its mode when it is opened.
    fchmodSync(descriptor, 0o600)
    return new HarWriter(descriptor, { name: 'partner', version })
  } catch (error) {
    const why = error instanceof Failure ? error.message : describeSystemError(error)
    const problem = `--har cannot write ${JSON.stringify(path)}: ${why}`
    throw usageFailure([problem], 'pass the path of a file that may be overwritten; nothing was sent')
  }
}
