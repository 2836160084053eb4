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

/** Guides with the name of a command or a topic, whose help page comes first. */
const NAMESAKES = 'api certify completion doctor drift sandbox support timeline webhooks'.split(' ')

export function isGuide(name: string): name is Guide {
  return (GUIDES as readonly string[]).includes(name)
}

/** The command that prints a guide: `partner help money`, or `partner help guide webhooks` if a topic has the name. */
export function guideCommand(name: Guide): string {
  return `partner help ${NAMESAKES.includes(name) ? 'guide ' : ''}${name}`
}
