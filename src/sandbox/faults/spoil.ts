import { ConnectionFault } from '../../http/server/connection-fault.ts'
import { WholeBody } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'
import type { FaultEffect } from './fault.ts'
import { pause } from './replacement.ts'

type BodyEffect = Extract<FaultEffect, { readonly kind: 'truncate' | 'malformed' | 'dribble' | 'oversize' }>

const OVERSIZE_BYTES = 20 * 1024 * 1024
const DRIBBLE_BYTES = 8
const DRIBBLE_EVERY_MS = 50

export function spoilsBody(effect: FaultEffect): effect is BodyEffect {
  const { kind } = effect
  return kind === 'truncate' || kind === 'malformed' || kind === 'dribble' || kind === 'oversize'
}

export async function spoilBody(
  reply: WireReply,
  effect: BodyEffect,
  signal: AbortSignal | undefined,
): Promise<WireReply> {
  const whole = await collectBytes(reply)
  const withLength = { ...reply.headers, 'content-length': String(whole.byteLength) }
  switch (effect.kind) {
    case 'truncate': {
      const kept = whole.subarray(0, Math.min(effect.bytes, Math.max(0, whole.byteLength - 1)))
      return { ...reply, headers: withLength, body: cutOff(kept) }
    }
    case 'malformed':
      return { ...reply, body: new WholeBody(whole.subarray(0, Math.ceil(whole.byteLength / 2))) }
    case 'dribble': {
      const body = trickle(whole, effect.bytes ?? DRIBBLE_BYTES, effect.everyMs ?? DRIBBLE_EVERY_MS, signal)
      return { ...reply, headers: withLength, body }
    }
    case 'oversize':
      return { ...reply, body: padded(whole, effect.bytes ?? OVERSIZE_BYTES) }
  }
}

async function collectBytes(reply: WireReply): Promise<Uint8Array> {
  if (reply.body instanceof WholeBody) return reply.body.bytes
  const chunks: Uint8Array[] = []
  for await (const chunk of reply.body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* cutOff(kept: Uint8Array): AsyncGenerator<Uint8Array> {
  yield kept
  throw new ConnectionFault('close')
}

async function* trickle(whole: Uint8Array, size: number, everyMs: number, signal: AbortSignal | undefined) {
  for (let at = 0; at < whole.byteLength; at += size) {
    if (at > 0) await pause(everyMs, signal)
    yield whole.subarray(at, at + size)
  }
}

const BLOCK = Buffer.alloc(64 * 1024, 'x')

/** Pads a body with one long string. Whitespace would have no effect on clients that skip it without buffering it. */
async function* padded(whole: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  const isObject = whole[0] === 123 && whole.byteLength > 2
  yield Buffer.from(isObject ? '{"padding":"' : '["')
  for (let left = bytes; left > 0; left -= BLOCK.byteLength) yield BLOCK.subarray(0, Math.min(left, BLOCK.byteLength))
  yield isObject ? Buffer.concat([Buffer.from('",'), whole.subarray(1)]) : Buffer.from('"]')
}
