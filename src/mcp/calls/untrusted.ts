import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { withoutSuspects } from '../../terminal/render/text/safe-text.ts'
import type { Tool } from '../tools/tool.ts'

/**
 * Removes control characters, bidirectional marks and invisible characters from all strings in a value. A guest could
 * use them to hide instructions for an agent.
 */
export function withCleanTexts(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutSuspects(value)
  if (Array.isArray(value)) return value.map(withCleanTexts)
  return isJsonObject(value) ? withCleanMembers(value) : value
}

export function withCleanMembers(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[withoutSuspects(name), withCleanTexts(member)]],
    ),
  )
}

/** Returns whether a tool's results contain text from the service, directly or from a copy or a journal. */
export function returnsServiceText({ annotations, files }: Tool): boolean {
  return annotations.openWorldHint || files.length > 0
}

/** Encloses text from the service in `<untrusted>` tags, after escaping any such tags in the text. */
export function markUntrusted(text: string): string {
  return `<untrusted source="service">\n${escapeMarks(text).trimEnd()}\n</untrusted>`
}

/** Escapes opening and closing `<untrusted>` tags in text. */
export function escapeMarks(text: string): string {
  return text.replace(/<(?=\s*\/?\s*untrusted)/giu, '&lt;')
}
