import { type Html, html, type Piece } from '../../../base/html.ts'
import type { Complaint, Scene } from '../scene.ts'
import { type Choices, PAGE_PATH } from '../view.ts'

/** The parts of an action form: its name, the browser's message on success, and its fields. */
interface FormParts {
  readonly name: string
  readonly done: string
  readonly className?: string
  readonly fields: Piece
}

/** Draws a form for an action, with its last problem. */
export function actionForm({ view, complaint }: Scene, { name, done, className = '', fields }: FormParts): Html {
  const own = complaintOf(complaint, name)
  const said = own
    ? html`<p class="complaint" id="${name}-complaint" role="alert"><strong>${own.message}</strong>${own.hint === null ? null : ` ${own.hint}`}</p>`
    : null
  return html`<form id="${name}" method="post" action="${view.under(`do/${name}`, true)}" class="action ${className}" data-done="${done}" novalidate>
${said}${fields}</form>`
}

/** The rejected input of a field; otherwise its initial value. */
export function writtenIn({ complaint }: Scene, form: string, field: string, first = ''): string {
  return complaintOf(complaint, form)?.written.get(field) ?? first
}

type FieldTexts = Readonly<Record<'name' | 'label', string> & Partial<Record<'first' | 'hint' | 'className', string>>>

/** Draws a text field with its label above and `hint` below. */
export function textField(scene: Scene, form: string, field: FieldTexts & { readonly attributes?: Html }): Html {
  const id = `${form}-${field.name}`
  const hint = field.hint === undefined ? null : html`<small id="${id}-hint">${field.hint}</small>`
  const described = hint ? html` aria-describedby="${id}-hint"` : null
  return html`<div class="field ${field.className ?? ''}"><label for="${id}">${field.label}</label><input id="${id}" name="${field.name}" value="${writtenIn(scene, form, field.name, field.first)}" autocomplete="off"${described}${field.attributes ?? null}>${hint}</div>`
}

/** Draws a form that changes the view: a GET with its fields. */
export function askingForm({ view }: Scene, without: readonly (keyof Choices)[], fields: Piece, label: string): Html {
  const kept = view.hidden(without)
  const hidden = kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return html`<form class="asking" method="get" action="${PAGE_PATH}" data-asks role="search" aria-label="${label}">${hidden}${fields}</form>`
}

/** Draws a link to another view that looks like a button. It works without a reload. */
export function viewLink({ view }: Scene, changed: Partial<Choices>, section: string, text: string): Html {
  return html`<a class="button" data-asks href="${view.href(changed, section)}">${text}</a>`
}

/** Draws a list with links to its first and next page, if any; `empty` when it has no items. */
export function pagedList(
  { className, label, empty }: { readonly className: string; readonly label: string; readonly empty: string },
  items: readonly Html[],
  links: readonly (Html | null)[],
): Html {
  const list = html`<ol class="${className}" role="list">${items}</ol>`
  const hasLinks = links.some((link) => link !== null)
  const pages = hasLinks ? html`<nav class="days" aria-label="${label}">${links}</nav>` : null
  return html`${items.length === 0 ? html`<p class="empty">${empty}</p>` : list}
${pages}`
}

function complaintOf(complaint: Complaint | null, form: string): Complaint | null {
  return complaint?.form === form ? complaint : null
}
