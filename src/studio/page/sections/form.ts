import { type Html, html, type Piece } from '../../../base/html.ts'
import type { Complaint, Scene } from '../scene.ts'
import { type Choices, PAGE_PATH } from '../view.ts'

/** A form that does something: what it is called, what the browser says when it is done, and its fields. */
interface FormParts {
  readonly name: string
  readonly done: string
  readonly className?: string
  readonly fields: Piece
}

/** A form that does something. What was wrong with it the last time stands beside it. */
export function actionForm({ view, complaint }: Scene, { name, done, className = '', fields }: FormParts): Html {
  const own = complaintOf(complaint, name)
  const said = own
    ? html`<p class="complaint" id="${name}-complaint" role="alert"><strong>${own.message}</strong>${own.hint === null ? null : ` ${own.hint}`}</p>`
    : null
  return html`<form id="${name}" method="post" action="${view.under(`do/${name}`, true)}" class="action ${className}" data-done="${done}" novalidate>
${said}${fields}</form>`
}

/** What was written into a field of a form that was wrong; else what it has at first. */
export function writtenIn({ complaint }: Scene, form: string, field: string, first = ''): string {
  return complaintOf(complaint, form)?.written.get(field) ?? first
}

/** A text field with its label above it. `hint` stands below. */
export function textField(
  scene: Scene,
  form: string,
  field: {
    readonly name: string
    readonly label: string
    readonly first?: string
    readonly hint?: string
    readonly attributes?: Html
    readonly className?: string
  },
): Html {
  const id = `${form}-${field.name}`
  const hint = field.hint === undefined ? null : html`<small id="${id}-hint">${field.hint}</small>`
  const described = hint ? html` aria-describedby="${id}-hint"` : null
  return html`<div class="field ${field.className ?? ''}"><label for="${id}">${field.label}</label><input id="${id}" name="${field.name}" value="${writtenIn(scene, form, field.name, field.first)}" autocomplete="off"${described}${field.attributes ?? null}>${hint}</div>`
}

/** A form that asks for another view: a GET of the page with what its fields say. */
export function askingForm({ view }: Scene, without: readonly (keyof Choices)[], fields: Piece, label: string): Html {
  const hidden = view
    .hidden(without)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return html`<form class="asking" method="get" action="${PAGE_PATH}" data-asks role="search" aria-label="${label}">${hidden}${fields}</form>`
}

/** A link that looks like a button, and shows another view without a reload. */
export function viewLink({ view }: Scene, changed: Partial<Choices>, section: string, text: string): Html {
  return html`<a class="button" data-asks href="${view.href(changed, section)}">${text}</a>`
}

/** A list with the links to its first and its next page, where there are such; `empty` when it has no items. */
export function pagedList(
  { className, label, empty }: { readonly className: string; readonly label: string; readonly empty: string },
  items: readonly Html[],
  links: readonly (Html | null)[],
): Html {
  const list = html`<ol class="${className}" role="list">${items}</ol>`
  const pages = links.some((link) => link !== null)
    ? html`<nav class="days" aria-label="${label}">${links}</nav>`
    : null
  return html`${items.length === 0 ? html`<p class="empty">${empty}</p>` : list}
${pages}`
}

function complaintOf(complaint: Complaint | null, form: string): Complaint | null {
  return complaint?.form === form ? complaint : null
}
