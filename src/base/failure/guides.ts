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

/** The name of a guide. */
export type Guide = (typeof GUIDES)[number]

/** Guides that are called like a command or a topic, whose page comes first. */
const NAMESAKES: readonly Guide[] = [
  'api',
  'certify',
  'completion',
  'doctor',
  'drift',
  'sandbox',
  'support',
  'timeline',
  'webhooks',
]

export function isGuide(name: string): name is Guide {
  return (GUIDES as readonly string[]).includes(name)
}

/** The command that prints a guide: `partner help money`, or `partner help guide webhooks` where a topic has the name. */
export function guideCommand(name: Guide): string {
  return `partner help ${NAMESAKES.includes(name) ? 'guide ' : ''}${name}`
}
