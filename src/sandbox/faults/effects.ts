import { setTimeout as delay } from 'node:timers/promises'
import type { Endpoint } from '../../contract/endpoint.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import { ConnectionFault } from '../../http/connection-fault.ts'
import { jsonReply, WholeBody } from '../../http/reply.ts'
import type { WireReply } from '../../http/transport.ts'
import { messageReply, problemReply, refusalReply } from '../app/replies.ts'
import type { Fault, FaultEffect } from './fault.ts'

/** Waits, unless the client goes away: then there is nobody left to answer. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch {
    throw new ConnectionFault('close')
  }
}

/** What a fault answers in place of the endpoint; null when it only does something to the endpoint's own answer. */
export async function answerInstead(
  effect: FaultEffect,
  endpoint: Endpoint,
  request: { readonly path: string; readonly signal: AbortSignal | undefined },
): Promise<WireReply | null> {
  switch (effect.kind) {
    case 'status':
      return statusReply(effect.status, effect.message, endpoint, request.path)
    case 'redirect':
      return jsonReply(effect.status ?? 307, undefined, { location: effect.url })
    case 'reset':
    case 'close':
      throw new ConnectionFault(effect.kind)
    case 'hang':
      await pause(2 ** 31 - 1, request.signal)
      return null
    default:
      return null
  }
}

function statusReply(status: number, message: string | undefined, endpoint: Endpoint, path: string): WireReply {
  if (status < 400) return jsonReply(status, status === 304 || status === 204 ? undefined : { message: message ?? '' })
  const documented = [...Object.values(endpoint.failures), ...Object.values(COMMON_FAILURES)].find(
    (failure) => failure.status === status && (message === undefined || failure.message === message),
  )
  if (documented) return refusalReply(documented, { count: 10, window: 1000 }, path)
  if (status === 500 && message === undefined) return problemReply(500, 'An unexpected error occurred.', path)
  return messageReply(status, message ?? 'This failure was asked for with: partner sandbox faults add')
}

const OVERSIZE_BYTES = 20 * 1024 * 1024
const DRIBBLE_BYTES = 8
const DRIBBLE_EVERY_MS = 50

/** Does to an answer what a fault asks for. */
export async function spoil(
  reply: WireReply,
  effect: FaultEffect,
  signal: AbortSignal | undefined,
): Promise<WireReply> {
  switch (effect.kind) {
    case 'truncate': {
      const whole = await bytesOf(reply)
      const kept = whole.subarray(0, Math.min(effect.bytes, Math.max(0, whole.byteLength - 1)))
      const headers = { ...reply.headers, 'content-length': String(whole.byteLength) }
      return { ...reply, headers, body: cutOff(kept) }
    }
    case 'malformed': {
      const whole = await bytesOf(reply)
      return { ...reply, body: new WholeBody(whole.subarray(0, Math.ceil(whole.byteLength / 2))) }
    }
    case 'dribble': {
      const whole = await bytesOf(reply)
      const headers = { ...reply.headers, 'content-length': String(whole.byteLength) }
      const body = trickle(whole, effect.bytes ?? DRIBBLE_BYTES, effect.everyMs ?? DRIBBLE_EVERY_MS, signal)
      return { ...reply, headers, body }
    }
    case 'oversize':
      return { ...reply, body: padded(await bytesOf(reply), effect.bytes ?? OVERSIZE_BYTES) }
    default:
      return reply
  }
}

/** Faults that are done to an answer; the others come in place of one. */
export function isSpoiling({ effect: { kind } }: Fault): boolean {
  return kind === 'truncate' || kind === 'malformed' || kind === 'dribble' || kind === 'oversize'
}

async function bytesOf(reply: WireReply): Promise<Uint8Array> {
  if (reply.body instanceof WholeBody) return reply.body.bytes
  const chunks: Uint8Array[] = []
  for await (const chunk of reply.body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* cutOff(kept: Uint8Array): AsyncGenerator<Uint8Array> {
  yield kept
  // Lets what was written leave the process before the connection ends.
  await delay(10)
  throw new ConnectionFault('close')
}

async function* trickle(
  whole: Uint8Array,
  size: number,
  everyMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.byteLength; at += size) {
    if (at > 0) await pause(everyMs, signal)
    yield whole.subarray(at, at + size)
  }
}

const BLOCK = Buffer.alloc(64 * 1024, 120)

/** JSON stays JSON: the padding is white space before the last brace would be too easy, so it is a long member. */
async function* padded(whole: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  const isObject = whole[0] === 123 && whole.byteLength > 2
  yield Buffer.from(isObject ? '{"padding":"' : '["')
  for (let left = bytes; left > 0; left -= BLOCK.byteLength) yield BLOCK.subarray(0, Math.min(left, BLOCK.byteLength))
  yield isObject ? Buffer.concat([Buffer.from('",'), whole.subarray(1)]) : Buffer.from('"]')
}
