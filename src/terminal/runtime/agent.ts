import type { Host } from './host.ts'

/** Variables of agents: two that many set, then those of single ones. */
const AGENT_VARIABLES = [
  ...['AI_AGENT', 'AGENT', 'AUGMENT_AGENT', 'CLAUDECODE', 'CLAUDE_CODE', 'CLINE_ACTIVE', 'CODEX_CI', 'CODEX_SANDBOX'],
  ...['CODEX_THREAD_ID', 'COPILOT_CLI', 'CURSOR_AGENT', 'GEMINI_CLI', 'GOOSE_TERMINAL', 'OPENCODE', 'QWEN_CODE'],
]

/** The variable that says that an agent, which cannot be asked, runs this; else null. */
export function agentVariable(env: Host['env']): string | null {
  return firstSet(env, AGENT_VARIABLES)
}

/** The first of these variables that is not empty, `0` or `false`, else null. */
export function firstSet(env: Host['env'], names: readonly string[]): string | null {
  return names.find((name) => !/^(?:|0|false)$/i.test(env[name] ?? '')) ?? null
}
