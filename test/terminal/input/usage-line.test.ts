import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, ROOT, runPartner } from '../../support/partner.ts'
import { words } from '../../support/words.ts'

interface Command {
  readonly id: string
  readonly args: Readonly<Record<string, { readonly name: string; readonly required?: boolean }>>
  readonly flags: Readonly<Record<string, unknown>>
}

const { commands } = JSON.parse(readFileSync(join(ROOT, '.oclif.manifest.json'), 'utf8')) as {
  commands: Record<string, Command>
}
const SENDING = Object.values(commands).filter(({ flags }) => 'set' in flags && 'no-validate' in flags)

describe('usage lines on help pages', () => {
  test.each(SENDING.map(({ id, args }) => [id.replaceAll(':', ' '), args] as const))(
    'the usage line of %s contains every required flag',
    async (id, args) => {
      const env = freshHome()
      const values = Object.values(args).map(({ name }) => VALUES[name] ?? 'BK-1001')
      const refused = await runPartner([...words(id), ...values, '-p', 'sandbox'], { env })
      const required = [...refused.stderr.matchAll(/(--[\w-]+)(?=[^\n]* (?:is|are) required)/g)].map(([flag]) => flag)
      const page = await runPartner([...words(id), '--help'], { env })
      const [, usage = ''] = /^USAGE\n([\s\S]*?)\n\n/.exec(page.stdout) ?? []
      // The usage line contains only --time, although --time-utc can be given instead.
      for (const flag of new Set(required)) if (flag !== '--time-utc') expect(usage).toContain(`${flag} `)
    },
  )
})

const VALUES: Readonly<Record<string, string>> = {
  method: 'GET',
  path: '/Bookings/BK-1001',
  card: 'GIFT2-00005025-AAAA',
  event: 'BOOKING_CREATED',
  url: 'http://127.0.0.1:8080/hooks',
  people: '4',
  code: 'SEATED',
}
