import { join } from 'node:path'
import { makePrivateDirectory } from '../../base/storage/directories.ts'
import { openOwnFile } from '../../base/storage/own-file.ts'
import { Capture, captured, describeRequest, describeResponse } from '../../http/har.ts'
import { HarWriter } from '../../http/har-writer.ts'
import { ConnectionFault } from '../../http/server/connection-fault.ts'
import { WholeBody } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'
import type { Arrival, Outcome, Service } from '../app/request.ts'
import { randomHex } from '../random-hex.ts'
import { SECRET_HEADERS } from './with-journal.ts'

export type Recording = (next: Service<Arrival>) => Service<Arrival>

/**
 * Records requests and responses, without secrets, in a new HAR 1.2 file in this directory. If a response is incomplete
 * or exceeds 1 MiB, records only its beginning and adds a comment. Throws a system error if the directory or the file
 * cannot be created.
 */
export function recordHarInto(directory: string): Recording {
  makePrivateDirectory(directory)
  const path = join(directory, `sandbox-${process.pid}-${randomHex(4)}.har`)
  const file = new HarWriter(openOwnFile(path, 'replace'), { name: 'partner sandbox', version: '1' })
  return (next) => async (arrival) => {
    const outcome = await next(arrival)
    const { reply } = outcome
    if (reply instanceof ConnectionFault) return outcome
    const add = (capture: Capture) => {
      try {
        file.add(JSON.stringify(entryOf(arrival, outcome, capture)))
      } catch {
        // Recording can fail, for example because the disk is full. The request must still get a response.
      }
    }
    if (!(reply.body instanceof WholeBody)) return { ...outcome, reply: { ...reply, body: captured(reply.body, add) } }
    const capture = new Capture()
    capture.take(reply.body.bytes)
    capture.hasEnded = true
    add(capture)
    return outcome
  }
}

function entryOf({ request, clock }: Arrival, { reply, endpoint, faults, note }: Outcome, capture: Capture) {
  const { status, headers } = reply as WireReply
  const response = describeResponse(status, headers, capture, SECRET_HEADERS)
  if (!capture.hasEnded) Object.assign(response.content, { comment: `the first ${capture.size} bytes` })
  return {
    startedDateTime: new Date(clock.now()).toISOString(),
    time: 0,
    request: describeRequest(request, SECRET_HEADERS),
    response,
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    _endpoint: endpoint,
    _faults: faults,
    _note: note,
  }
}
