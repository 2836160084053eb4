import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { html } from '../../../../src/base/html.ts'
import { renderNightPage } from '../../../../src/features/night/page/page.ts'
import type { BookingLine, NightReport } from '../../../../src/features/night/printed/output.ts'
import { HARBOUR, HOSTILE, QUOTED } from '../group.ts'
import { OPEN, pageOfGroup, reportOfGroup } from './pages.ts'

test('the night page escapes all text from the copy', async () => {
  const { text } = await pageOfGroup()
  expect(text).not.toContain(HOSTILE)
  expect(text).not.toMatch(/<script|<i>|<b>|onload="|javascript:/)
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(text).toContain('O&#39;Brien&#39;s; DROP TABLE bookings; -- &lt;b&gt;&quot;&amp;amp;')
  expect(html`<a title="${`"'<&\u0000\ud800`}">${['x', null, 1]}</a>`.text).toBe(
    '<a title="&quot;&#39;&lt;&amp;\ufffd\ufffd">x1</a>',
  )
})

test('the night page loads no other resources, and its security policy allows only its own styles', async () => {
  const { text } = await pageOfGroup()
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(text).toContain(`default-src 'none'; style-src 'sha256-${hash}'`)
  expect(text).not.toMatch(/\bsrc=|<link|@import|url\(|\sstyle=|https?:/)
})

test("the night page has a section for the group and one for each venue, and does not show the figures' internal names", async () => {
  const { text, venues } = await pageOfGroup()
  expect(text.match(/<section class="page"/g)).toHaveLength(venues + 1)
  expect(text.indexOf('id="group"')).toBeLessThan(text.indexOf('id="venue-1"'))
  for (const name of ['covers-by-service', 'seated-without-a-sale', 'deposits-due-of-the-group', 'sync-lag'])
    expect(text).not.toContain(name)
  expect(text).toContain('<dt>Takings</dt><dd class="value long">126.80<br>AED 355.00</dd>')
  expect(text).toContain('not in this copy')
  expect(text).toContain(OPEN.id)
})

test('the night page has accessible tables and charts, and shows each name in its own text direction', async () => {
  const { text } = await pageOfGroup()
  const tables = text.match(/<table\b[\s\S]*?<\/table>/g) ?? []
  expect(tables.length).toBeGreaterThan(10)
  for (const one of tables) expect(one).toMatch(/aria-label="[^"]+"[\s\S]*<th role="columnheader" scope="col"/)
  for (const chart of text.match(/<svg class="columns"[\s\S]*?<\/svg>/g) ?? [])
    expect(chart).toMatch(/<title id=[\s\S]*<desc id=/)
  expect(text).toContain('<bdi dir="auto">نور الهاشمي 🌙</bdi>')
})

test('the night page has no section for the group if the report covers only one venue', async () => {
  const report = await reportOfGroup()
  const alone: NightReport = { ...report, venues: report.venues.filter(({ source }) => source === HARBOUR) }
  const text = renderNightPage(alone, '1.2.3')
  expect(text.match(/<section class="page"/g)).toHaveLength(1)
  expect(text).not.toContain('All venues')
  expect(text).not.toContain(QUOTED)
})

test('the night page truncates a long list and says how many rows were omitted', async () => {
  const report = await reportOfGroup()
  const line: BookingLine = {
    ...{ bookingId: 'B', time: '19:00', people: 2, service: 'Dinner', tables: null, status: 'Seated', guest: null },
  }
  const many = Array.from({ length: 300 }, (_, at) => ({ ...line, bookingId: `B-${at}` }))
  const venues = report.venues.map((one) => (one.source === HARBOUR ? { ...one, seatedWithoutSale: many } : one))
  const text = renderNightPage({ ...report, venues }, '1.2.3')
  expect(text).toContain('and 292 more')
  expect(text).toContain('B-7')
  expect(text).not.toContain('B-8')
})
