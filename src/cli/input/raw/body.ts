import { isUtf8 } from 'node:buffer'
import { bodyFrom, type ExtraBody, wholeBytes } from '../body.ts'
import type { Problems } from '../problems.ts'

const BODILESS = new Set(['GET', 'HEAD'])

/**
 * The body of a request whose shape is not known: `--data` byte for byte, or with `--set` as JSON. Undefined: there is none.
 * @param isJson true: what is no JSON becomes a problem.
 * Fails: USAGE when a file cannot be read.
 */
export async function rawBody(
  method: string,
  extra: ExtraBody,
  isJson: boolean,
  problems: Problems,
): Promise<Uint8Array | undefined> {
  if (BODILESS.has(method) && (extra.data !== undefined || (extra.set ?? []).length > 0)) {
    problems.add(`--data and --set make a body, which a ${method} has none of`, 'use --param k=v for a query parameter')
    return undefined
  }
  if ((extra.set ?? []).length > 0) return Buffer.from(JSON.stringify(await bodyFrom(extra, {}, problems)))
  if (extra.data === undefined) return undefined
  const bytes = await wholeBytes(extra.data, '--data')
  const trouble = isJson ? jsonTrouble(bytes) : null
  if (trouble !== null) problems.add(`--data is not JSON: ${trouble}`, '--no-validate sends it anyway')
  return bytes
}

function jsonTrouble(bytes: Uint8Array): string | null {
  if (bytes.byteLength === 0) return 'it is empty'
  if (!isUtf8(bytes)) return 'it is not UTF-8'
  try {
    JSON.parse(Buffer.from(bytes).toString('utf8'))
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
