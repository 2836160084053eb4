import { WireRecord } from '../../base/json/list/wire-record.ts'
import type { NightReport } from '../../features/night/printed/output.ts'
import { nightList, nightRows, nightSqlList } from '../../features/night/printed/rows.ts'
import { groupNightPage, venueNightPage } from '../../features/night/printed/views.ts'
import { type FigureStatement, formatScript } from '../../features/night/publish.ts'
import { NIGHT_FLAGS, readReport, writePage } from '../../features/night/read.ts'
import { OUTPUT_FLAGS, PING_FLAG } from '../../terminal/input/flags.ts'
import { terminalSafeLines } from '../../terminal/render/text/safe-text.ts'
import type { CardView } from '../../terminal/render/view.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { Opened } from '../../terminal/runtime/run.ts'

export default class ReportNight extends PartnerCommand {
  static override summary = 'Print the night report for each venue in a copy and for all of them together.'
  static override description =
    `Shows covers and no-shows by service, takings, guests who were seated without a sale, sales without a booking, deposits due, money writes whose outcome is unknown, and how up to date the copy is. It reads a copy that the sync commands maintain, in SQLite or PostgreSQL, and makes no requests; the money writes are those of this machine.

A night is a business day of the venue: from 05:00 local time (--day-starts) to the same time on the next day. Without --date, the report covers the last night that has ended. A figure that the copy lacks is shown as "not in this copy", never as 0. --sql prints the statement of each figure exactly as the report runs it.`
  static override examples = [
    '<%= config.bin %> bookings sync --to venue.db && <%= config.bin %> sales sync --to venue.db && <%= config.bin %> <%= command.id %> --copy venue.db',
    '<%= config.bin %> bookings sync --to venue.db && <%= config.bin %> <%= command.id %> --copy venue.db --date yesterday --html night.html --yes',
    '<%= config.bin %> bookings sync --to venue.db && <%= config.bin %> <%= command.id %> --copy venue.db --sql',
  ]
  static override baseFlags = OUTPUT_FLAGS
  static override flags = { ...NIGHT_FLAGS, ...PING_FLAG }

  async run(): Promise<void> {
    const opened = await this.open(ReportNight)
    const { report, published, warnings } = await readReport(opened)
    for (const words of warnings) await opened.warn(words)
    if (opened.flags.sql) return showSql(opened, published)
    if (opened.flags.html !== undefined) await writePage(opened, opened.flags.html, report)
    await showReport(opened, report)
  }
}

async function showSql({ show, host }: Opened<object, object>, published: readonly FigureStatement[]): Promise<void> {
  const records = published.map((one) => ({ ...one }))
  if (!show.isPlain) return show.all(records, nightSqlList)
  const script = formatScript(published)
  // Write the unmodified SQL to a file or pipe, so that it can be run as a script.
  await show.text(host.stdoutScreen.columns === null ? script : terminalSafeLines(script).join('\n'))
}

async function showReport({ show }: Opened<object, object>, report: NightReport): Promise<void> {
  const isGroup = report.venues.length > 1
  const group = groupNightPage(report)
  if (!show.isPlain) {
    if (show.format !== 'json' && !show.isQueried) return show.all(nightRows(report), nightList)
    const card: CardView = { ...group.card, title: () => [{ text: 'All venues', tone: 'strong' }] }
    return show.printer().one(new WireRecord(JSON.stringify(report)), { card, list: nightList })
  }
  if (isGroup) await show.one(group.record, { card: group.card, list: nightList })
  for (const [at, venue] of report.venues.entries()) {
    if (isGroup || at > 0) await show.text('\n')
    const { record, card } = venueNightPage(venue)
    await show.one(record, { card, list: nightList })
  }
}
