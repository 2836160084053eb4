/** The pages of docs/ that `partner help` prints, without `.md`. */
export const GUIDES = [
  'agents',
  'api',
  'certify',
  'completion',
  'cron',
  'database',
  'doctor',
  'drift',
  'environment',
  'exit-codes',
  'import',
  'many-venues',
  'money',
  'money-units',
  'night-report',
  'openapi',
  'output',
  'reconcile',
  'rehearsal',
  'sandbox',
  'snapshots',
  'statement',
  'support',
  'sync',
  'table-names',
  'timeline',
  'times',
  'webhooks',
] as const

export type Guide = (typeof GUIDES)[number]

/** Guides that share their name with a command or topic. `partner help NAME` shows the command or topic instead. */
const NAMESAKES = 'api certify completion doctor drift sandbox support timeline webhooks'.split(' ')

export function isGuide(name: string): name is Guide {
  return (GUIDES as readonly string[]).includes(name)
}

/**
 * Returns the command that prints a guide: `partner help money`, or `partner help guide webhooks` for a shared name.
 */
export function guideCommand(name: Guide): string {
  return `partner help ${NAMESAKES.includes(name) ? 'guide ' : ''}${name}`
}
