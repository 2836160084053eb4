import { STATUS_CODES } from 'node:http'
import type { Endpoint } from '../../../../contract/endpoint.ts'
import { ENDPOINTS } from '../../../../contract/endpoints.ts'
import { COMMON_FAILURES } from '../../../../contract/failures.ts'
import type { MemberKind } from './members.ts'

const STATUSES = [400, 401, 403, 404, 405, 409, 415, 429, 500, 502, 503, 504] as const

/** Harmless messages that servers send, in addition to those in the contract. */
const COMMON_WORDS = [
  ...['An error occurred.', 'One or more validation errors occurred.'],
  ...STATUSES.flatMap((status) => STATUS_CODES[status] ?? []),
]

/**
 * The kinds of the placeholders in documented messages. A placeholder that is not listed has the kind of the member
 * with the same name.
 */
const PLACEHOLDERS: Readonly<Record<string, MemberKind>> = {
  count: 'number',
  window: 'number',
  amount: 'number',
  numOfPeople: 'number',
  field: 'code',
  table: 'word',
  tables: 'word',
}

let templates: ReturnType<typeof readTemplates> | undefined

/**
 * Returns a documented message, such as `Booking 'BK-7' not found.`, after cleaning the values in it. Returns `null`
 * for any other message.
 */
export function knownMessage(
  text: string,
  clean: (value: string, placeholder: string, kind: MemberKind | null) => string,
): string | null {
  templates ??= readTemplates()
  for (const { pattern, pieces } of templates) {
    const match = pattern.exec(text.trim())
    if (!match) continue
    const values = match.slice(1)
    return pieces
      .map((piece, at) =>
        at % 2 === 0 ? piece : clean(values[(at - 1) / 2] ?? '', piece, PLACEHOLDERS[piece] ?? null),
      )
      .join('')
  }
  return null
}

/** Converts the documented messages to patterns. In `pieces`, literal text and placeholder names alternate. */
function readTemplates() {
  const documented: readonly Endpoint['failures'][] = Object.values(ENDPOINTS).map(({ failures }) => failures)
  const refusals = [COMMON_FAILURES, ...documented]
  const messages = refusals.flatMap((failures) => Object.values(failures).map(({ message }) => message))
  return [...new Set([...messages, ...COMMON_WORDS])].map((message) => {
    const pieces = message.split(/\{(\w+)\}/)
    const source = pieces.map((piece, at) => (at % 2 === 0 ? escaped(piece) : '(.{0,200}?)'))
    return { pattern: new RegExp(`^${source.join('')}$`, 'is'), pieces }
  })
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
