/** The pages in docs/ that `partner help` can print, without the `.md` extension. */
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
  'monitor',
  'night-report',
  'openapi',
  'output',
  'performance',
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
  'unattended',
  'webhooks',
  'windows',
] as const

export type Guide = (typeof GUIDES)[number]

export function isGuide(name: string): name is Guide {
  return (GUIDES as readonly string[]).includes(name)
}

/** Returns the command that prints a guide, such as `partner help money`. */
export function guideCommand(name: Guide): string {
  return `partner help ${name}`
}
