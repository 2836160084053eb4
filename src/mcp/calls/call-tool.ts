import type { Failure } from '../../base/failure/failure.ts'
import { findSuggestedCommands } from '../../base/failure/suggested.ts'
import { type JsonObject, type JsonValue, parseExact } from '../../base/json/exact.ts'
import { hideSecrets } from '../../base/redaction/redaction.ts'
import { hintOf } from '../../terminal/output/next/hint.ts'
import { withoutSuspects } from '../../terminal/render/text/safe-text.ts'
import { formatReportJson, toFailure } from '../../terminal/runtime/error-report.ts'
import { flagsOfCommand, type Host } from '../../terminal/runtime/host.ts'
import { type GivenCall, toGiven } from '../tools/arguments.ts'
import type { Given, Tool, ToolResult } from '../tools/tool.ts'
import { type Captured, MAX_RESULT_BYTES } from './capture.ts'
import { type CommandEnd, runCommand } from './run-command.ts'
import { tableOf } from './tool-text.ts'
import { escapeMarks, markUntrusted, returnsServiceText, withCleanMembers } from './untrusted.ts'

/** The settings that all tool calls on a server share. */
export interface CallParts {
  readonly host: Host
  /** The tools that the client may call, keyed by command name. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Returns the flags that are the same for every call of a tool, such as the profile and the files. */
  readonly fixedFlags: (tool: Tool) => Given['flags']
}

/** Runs a tool's command, or prepares its order. Never throws; a failure is returned as a result with `isError`. */
export async function callTool(
  tool: Tool & { readonly command: string },
  values: unknown,
  parts: CallParts,
  signal: AbortSignal,
): Promise<ToolResult> {
  let given: GivenCall
  try {
    given = toGiven(tool, values)
  } catch (error) {
    return errorResult(toFailure(error, false), [], { tool, parts, isUntrusted: false })
  }
  const { args, flags, stdin, limit } = given
  const all = { args, flags: { ...flags, ...parts.fixedFlags(tool) }, stdin }
  const order = tool.as === 'prepare' ? ({ kind: 'prepare' } as const) : undefined
  const end = await runCommand({ command: tool.command, given: all, limit: limit ?? 1, signal, order }, parts.host)
  return resultOf(end, tool, parts)
}

/** Converts the outcome of a command to a tool result. */
async function resultOf(end: CommandEnd, tool: Tool, parts: CallParts): Promise<ToolResult> {
  const isUntrusted = returnsServiceText(tool)
  const hide = <T extends JsonObject>(value: T): T => withoutSecrets(value, end.secrets)
  if (end.failure !== null || end.captured === null) {
    const failure = end.failure ?? toFailure(new Error('nothing was printed'), false)
    return errorResult(failure, end.secrets, { tool, parts, isUntrusted })
  }
  const structuredContent = hide(contentOf(end.captured))
  const table = await tableOf(end.captured)
  const text = hideSecrets(`${end.said}${table}`, end.secrets)
  return {
    structuredContent,
    text: fitting(isUntrusted ? markUntrusted(text) : text, nextStep(tool, end.captured), structuredContent),
    isError: false,
    isUntrusted,
  }
}

function contentOf(captured: Captured): JsonObject {
  if (captured.form === 'one') return captured.value
  return { records: captured.records, truncated: captured.isTruncated }
}

/** Returns a line that says what to do next, or '' if there is nothing to do. */
function nextStep(tool: Tool, captured: Captured): string {
  if (tool.as === 'prepare') return '\nNo money has moved yet. To move it, pass this handle to money_commit.'
  if (captured.form === 'one' || !captured.isTruncated) return ''
  return '\nThere are more records: narrow the query, or raise `limit` (at most 500).'
}

/** Omits the text if it would make the result too large. */
function fitting(text: string, remark: string, content: JsonObject): string {
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(content))
  return bytes + remark.length <= MAX_RESULT_BYTES ? text + remark : `The result is only in structuredContent.${remark}`
}

interface ErrorPlace {
  readonly tool: Tool
  readonly parts: CallParts
  readonly isUntrusted: boolean
}

/** Converts a failure to a result that contains the same error object as `--json` prints. */
export async function errorResult(
  failure: Failure,
  secrets: readonly string[],
  { tool, parts, isUntrusted }: ErrorPlace,
): Promise<ToolResult> {
  const { host, tools } = parts
  const line = { command: tool.command, typed: [], flagsOf: (id: string) => flagsOfCommand(host, id) }
  const hint = hintWithTools(await hintOf(failure, line), tools) ?? hintWithTools(failure.hint, tools)
  const report = parseExact(formatReportJson(failure, hint)) as JsonObject
  const { words, lines } = failure
  const message = withoutSuspects(
    hideSecrets(lines.length === 0 ? failure.message : `${words} ${lines.join('; ')}`, secrets),
  )
  const clean = withCleanMembers(withoutSecrets(report, secrets))
  const error = clean['error'] as JsonObject
  const structuredContent = { error: { ...error, message } }
  const next = hint === undefined ? '' : `\nNext: ${escapeMarks(String(error['hint']))}`
  return {
    structuredContent,
    text: `${failure.code}\n${isUntrusted ? markUntrusted(message) : escapeMarks(message)}${next}`,
    isError: true,
    isUntrusted,
  }
}

/**
 * Replaces each command in a hint with the name of its tool. Returns `undefined` if a command has no tool. Also returns
 * `undefined` if the hint names a flag but no command, because agents cannot use flags.
 */
function hintWithTools(hint: string | undefined, tools: CallParts['tools']): string | undefined {
  const commands = findSuggestedCommands(hint ?? '')
  if (hint === undefined || (commands.length === 0 && /(?<![\w-])--?[a-z]/.test(hint))) return undefined
  let result = ''
  let end = 0
  for (const { from, to, words } of commands) {
    const tool = [3, 2, 1].map((count) => tools.get(words.slice(0, count).join(' '))).find((one) => one !== undefined)
    if (tool === undefined) return undefined
    result += `${hint.slice(end, from)}${tool.name}`
    end = to
  }
  return result + hint.slice(end)
}

function withoutSecrets<T extends JsonValue>(value: T, secrets: readonly string[]): T {
  const text = JSON.stringify(value)
  const hidden = hideSecrets(text, secrets)
  return hidden === text ? value : (parseExact(hidden) as T)
}
