import { bdi, type Html, type HtmlValue, html } from '../../../base/html.ts'

export interface PageColumn<T> {
  readonly head: string
  /**
   * `number` columns are right-aligned. `text` columns contain text from the copy. `own` columns contain text written
   * by partner, which is kept on one line.
   */
  readonly kind: 'number' | 'text' | 'own' | 'chart'
  readonly cell: (row: T) => HtmlValue
}

export function number<T>(head: string, cell: (row: T) => HtmlValue): PageColumn<T> {
  return { head, kind: 'number', cell }
}

/**
 * Renders a table, omitting empty columns. On narrow screens, CSS shows each row as a block, so ARIA roles preserve the
 * table semantics.
 */
export function renderTable<T>(
  label: string,
  all: readonly PageColumn<T>[],
  rows: readonly T[],
  isSmall = false,
): Html {
  const columns = all.filter(({ cell }) => rows.some((row) => !isBlank(cell(row))))
  const heads = columns.map(({ head, kind }) => html`<th role="columnheader" scope="col" class="${kind}">${head}</th>`)
  const lines = rows.map(
    (row) =>
      html`<tr role="row">${columns.map((column, at) => cellOf(column, row, at === 0))}</tr>
`,
  )
  return html`<table class="${isSmall ? 'small' : 'blocks'}" role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
${lines}</tbody>
</table>`
}

function cellOf<T>({ head, kind, cell }: PageColumn<T>, row: T, isFirst: boolean): Html {
  const value = cell(row)
  const shown = kind === 'text' && typeof value === 'string' ? bdi(value) : value
  if (isFirst) return html`<th role="rowheader" scope="row" class="${kind}">${shown}</th>`
  const blank = isBlank(value) ? ' blank' : ''
  return html`<td role="cell" class="${kind}${blank}" data-label="${head}">${shown}</td>`
}

function isBlank(piece: HtmlValue): boolean {
  return piece === null || piece === '' || (Array.isArray(piece) && piece.length === 0)
}
