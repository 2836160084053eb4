import { Failure } from '../../base/failure/failure.ts'
import { parseExact } from '../../base/json/exact.ts'
import { RecordSplitter } from '../../base/json/list/record-splitter.ts'
import { WireRecord } from '../../base/json/list/wire-record.ts'
import { RecordStreamError } from '../../base/json/record-stream-error.ts'
import type { Caller } from '../../client/calls/caller.ts'
import { getListOptions } from '../../client/calls/list.ts'
import type { CallInput } from '../../client/calls/prepare.ts'
import { callRaw, type RawAnswer } from '../../client/calls/raw.ts'
import { refuseWebPage } from '../../client/response-body.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { NetworkError } from '../../http/client/errors.ts'
import type { Reply } from '../../http/client/send-once.ts'
import { jsonText } from '../render/formats/json-text.ts'
import { genericCardView, genericListView } from '../render/generic-views.ts'
import { terminalSafeLines } from '../render/text/safe-text.ts'
import type { Host } from '../runtime/host.ts'
import type { Printing } from './many/venue.ts'
import { singleBatch } from './printer.ts'

interface RawPrinting {
  readonly host: Host
  /** The printer for the requested format, or `null` to print the response as it arrives. */
  readonly printer: Printing | null
  readonly include: boolean
  readonly onAnswer?: (() => void) | undefined
}

/**
 * Calls an endpoint and prints its response, escaped if stdout is a terminal. Throws INCOMPLETE or the same errors as
 * `callRaw`.
 */
export async function callAndPrint<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  { host, printer, include, onAnswer }: RawPrinting,
): Promise<void> {
  const isPipe = host.stdoutScreen.columns === null
  const stream = isPipe && printer === null && endpoint.write === 'none' && endpoint.list !== undefined
  let refused: Reply | null = null
  const onFinal = (final: Reply) => {
    refused = final
  }
  try {
    const answer = await callRaw(caller, endpoint, input, { stream, onFinal })
    refused = null
    onAnswer?.()
    if (include) await host.stdout.write(headText(answer, host))
    if (answer.body) await passOn(answer, answer.body, host)
    else if (printer && answer.json !== null) await printJson(answer.json, printer)
    else await host.stdout.write(isPipe ? (answer.bytes ?? '') : safeText(answer, host))
  } catch (error) {
    const final = refused as Reply | null
    if (include && final)
      await host.stdout.write(headText(final, host) + safeText({ bytes: final.bytes, json: null }, host))
    throw error
  }
}

function headText({ status, headers }: Pick<RawAnswer, 'status' | 'headers'>, host: Host): string {
  const lines = [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  const safe = host.stdoutScreen.columns === null ? lines : lines.flatMap(terminalSafeLines)
  return `${safe.join('\n')}\n\n`
}

function safeText({ json, bytes }: Pick<RawAnswer, 'bytes' | 'json'>, host: Host): string {
  if (json !== null) return `${jsonText(new WireRecord(json), null, host.stdoutScreen)}\n`
  const text = Buffer.from(bytes ?? []).toString('utf8')
  if (host.stdoutScreen.columns === null) return text
  return text === '' ? '' : `${terminalSafeLines(text.replace(/\r?\n$/, '')).join('\n')}\n`
}

async function printJson(json: string, printer: Printing): Promise<void> {
  const value = parseExact(json)
  const list = genericListView(Array.isArray(value) ? value : [value])
  if (!Array.isArray(value)) return printer.one(new WireRecord(json), { card: genericCardView, list })
  await printer.list(singleBatch(value.map(WireRecord.of)), list)
}

/** Prints a response body as it arrives. If a list endpoint returned a list, checks that it is complete. */
async function passOn(answer: RawAnswer, body: AsyncIterable<Uint8Array>, host: Host): Promise<void> {
  const { endpoint } = answer
  let splitter = endpoint.list ? new RecordSplitter(getListOptions(endpoint)) : null
  let isFirst = true
  try {
    for await (const chunk of body) {
      if (isFirst) refuseWebPage(answer.headers, new TextDecoder().decode(chunk), answer.call)
      isFirst = false
      await host.stdout.write(chunk)
      const problem = splitter?.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), []) ?? null
      if (problem && problem.kind !== 'not-a-list') throw problem
      if (problem) splitter = null
    }
    splitter?.end()
  } catch (error) {
    if (!(error instanceof NetworkError || error instanceof RecordStreamError)) throw error
    const isCut = error instanceof NetworkError || error.kind === 'truncated'
    const words = `${isCut ? 'the response was cut off' : 'the response cannot be read'}: ${error.message}`
    const hint = 'the output is incomplete; run the command again'
    throw new Failure('INCOMPLETE', words, { hint, request: answer.call.request, cause: error })
  }
}
