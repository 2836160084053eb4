import type { Host } from './host.ts'

/** Variables with which agents say that a command is theirs: two that many set, and those of single ones. */
const AGENT_VARIABLES = [
  ...['AI_AGENT', 'AGENT', 'AUGMENT_AGENT', 'CLAUDECODE', 'CLAUDE_CODE', 'CLINE_ACTIVE', 'CODEX_CI', 'CODEX_SANDBOX'],
  ...['CODEX_THREAD_ID', 'COPILOT_CLI', 'CURSOR_AGENT', 'GEMINI_CLI', 'GOOSE_TERMINAL', 'OPENCODE', 'QWEN_CODE'],
]

/** The variable that says that an agent runs this, which cannot be asked anything; null: none does. */
export function agentVariable(env: Host['env']): string | null {
  return firstSet(env, AGENT_VARIABLES)
}

/** The first of these variables that is set to anything but `0` or `false`; null: none is. */
export function firstSet(env: Host['env'], names: readonly string[]): string | null {
  return names.find((name) => !/^(?:|0|false)$/i.test(env[name] ?? '')) ?? null
}
