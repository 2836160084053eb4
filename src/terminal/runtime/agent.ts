import type { Host } from './host.ts'

/** Environment variables that AI agents set. The first two are set by many agents, and the others by one agent each. */
const AGENT_VARIABLES = [
  ...['AI_AGENT', 'AGENT', 'AUGMENT_AGENT', 'CLAUDECODE', 'CLAUDE_CODE', 'CLINE_ACTIVE', 'CODEX_CI', 'CODEX_SANDBOX'],
  ...['CODEX_THREAD_ID', 'COPILOT_CLI', 'CURSOR_AGENT', 'GEMINI_CLI', 'GOOSE_TERMINAL', 'OPENCODE', 'QWEN_CODE'],
]

/**
 * Returns the environment variable that identifies an AI agent, or `null` if there is none. Agents cannot answer
 * prompts.
 */
export function agentVariable(env: Host['env']): string | null {
  return firstSet(env, AGENT_VARIABLES)
}

/**
 * Returns the name of the first variable that is set to something other than '', `0` or `false`, or `null` if there is
 * none.
 */
export function firstSet(env: Host['env'], names: readonly string[]): string | null {
  return names.find((name) => !/^(?:|0|false)$/i.test(env[name] ?? '')) ?? null
}
