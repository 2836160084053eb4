import { closeSync, fchmodSync, writeSync } from 'node:fs'
import { Failure, usageFailure } from '../base/failure/failure.ts'
import { hideSecrets } from '../base/redaction/redaction.ts'
import { openOwnFile } from '../base/storage/own-file.ts'
import { describeSystemError } from '../base/storage/system-error.ts'
import type { HarEntry } from '../http/client/har.ts'

/** A HAR file that is being written. */
export interface HarFile {
  /** Writes an entry at once, so that the file holds what was seen, however the command ends. */
  add(entry: HarEntry): void
  /** Writes what closes the file. Answers what went wrong with it, null when nothing did. */
  close(): string | null
}

/**
 * Starts a HAR 1.2 file, for its owner's eyes only, as it holds what the service said about guests.
 * @param secrets the secrets in use by then; none of them is written, wherever the traffic repeats it.
 * Fails: USAGE when it cannot be written.
 */
export function openHarFile(path: string, version: string, secrets: () => readonly string[]): HarFile {
  const creator = JSON.stringify({ name: 'partner', version })
  const descriptor = begun(path, `{"log":{"version":"1.2","creator":${creator},"entries":[`)
  let separator = '\n'
  let trouble: string | null = null
  const attempt = (work: () => void) => {
    try {
      if (trouble === null) work()
    } catch (error) {
      // A full disk is no reason to break off an exchange with the service.
      trouble = `--har could not write all of ${path}: ${describeSystemError(error)}`
    }
  }
  return {
    add: (entry) =>
      attempt(() => {
        writeAll(descriptor, separator + hideSecrets(JSON.stringify(entry), secrets()))
        separator = ',\n'
      }),
    close: () => {
      attempt(() => writeAll(descriptor, '\n]}}\n'))
      attempt(() => closeSync(descriptor))
      return trouble
    },
  }
}

function begun(path: string, text: string): number {
  try {
    if (path === '') throw new Error('its name is empty')
    const descriptor = openOwnFile(path, 'replace')
    // A file that was there has the mode that somebody gave it.
    fchmodSync(descriptor, 0o600)
    writeAll(descriptor, text)
    return descriptor
  } catch (error) {
    throw usageFailure(
      [
        `--har cannot write ${JSON.stringify(path)}: ${error instanceof Failure ? error.message : describeSystemError(error)}`,
      ],
      'give the path of a file that may be replaced; nothing was sent',
    )
  }
}

function writeAll(descriptor: number, text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest))
}
