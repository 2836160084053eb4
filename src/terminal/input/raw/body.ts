import { isUtf8 } from 'node:buffer'
import { messageOf } from '../../../base/failure/failure.ts'
import { withoutByteOrderMark } from '../../../base/json/bytes.ts'
import { parseJson } from '../../../base/json/parse.ts'
import { buildBody, type ExtraBody, readGivenBytes, readTextBytes } from '../body.ts'
import type { Problems } from '../problems.ts'

const BODILESS = new Set(['GET', 'HEAD'])

/**
 * Reads a request body of unknown structure. Without `--set`, keeps `--data` byte for byte, but removes a byte order
 * mark before JSON. With `--set`, parses `--data` as JSON. Throws USAGE if the content of `--data` cannot be read.
 */
export async function readRawBody(
  method: string,
  extra: ExtraBody,
  isJson: boolean,
  problems: Problems,
): Promise<Uint8Array | undefined> {
  if (BODILESS.has(method) && (extra.data !== undefined || (extra.set ?? []).length > 0)) {
    problems.add(
      `--data and --set define a request body, but ${method} requests do not have one`,
      'use --param k=v for a query parameter',
    )
    return undefined
  }
  if ((extra.set ?? []).length > 0) return Buffer.from(JSON.stringify(await buildBody(extra, {}, problems)))
  if (extra.data === undefined) return undefined
  if (!isJson) return readGivenBytes(extra.data, '--data')
  const bytes = withoutByteOrderMark(await readTextBytes(extra.data, '--data'))
  const trouble = jsonTrouble(bytes)
  if (trouble !== null) problems.add(`--data is not JSON: ${trouble}`, 'use --no-validate to send it anyway')
  return bytes
}

function jsonTrouble(bytes: Uint8Array): string | null {
  if (bytes.byteLength === 0) return 'it is empty'
  if (!isUtf8(bytes)) return 'it is not UTF-8'
  try {
    parseJson(Buffer.from(bytes).toString('utf8'))
    return null
  } catch (error) {
    return messageOf(error)
  }
}
