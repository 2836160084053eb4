import { type Html, type HtmlValue, html } from '../../../base/html.ts'
import type { Complaint, Scene } from '../scene.ts'
import { type Choices, PAGE_PATH } from '../view.ts'

/** The parts of a form that runs an action. */
interface FormParts {
  readonly name: string
  /** The message that the browser shows when the action has succeeded. */
  readonly done: string
  readonly className?: string
  readonly fields: HtmlValue
}

/** Renders a form that runs an action. If its last submission was rejected, also renders the problem. */
export function actionForm({ view, complaint }: Scene, { name, done, className = '', fields }: FormParts): Html {
  const own = complaintOf(complaint, name)
  const said = own
    ? html`<p class="complaint" id="${name}-complaint" role="alert"><strong>${own.message}</strong>${own.hint === null ? null : ` ${own.hint}`}</p>`
    : null
  return html`<form id="${name}" method="post" action="${view.urlOf(`do/${name}`, true)}" class="action ${className}" data-done="${done}" novalidate>
${said}${fields}</form>`
}

/** Returns a field's rejected input or, if none was rejected, the field's initial value. */
export function writtenIn({ complaint }: Scene, form: string, field: string, first = ''): string {
  return complaintOf(complaint, form)?.written.get(field) ?? first
}

type FieldTexts = Readonly<Record<'name' | 'label', string> & Partial<Record<'first' | 'hint' | 'className', string>>>

/** Renders a text field, with a label above the field and a hint below it. */
export function textField(scene: Scene, form: string, field: FieldTexts & { readonly attributes?: Html }): Html {
  const id = `${form}-${field.name}`
  const hint = field.hint === undefined ? null : html`<small id="${id}-hint">${field.hint}</small>`
  const described = hint ? html` aria-describedby="${id}-hint"` : null
  return html`<div class="field ${field.className ?? ''}"><label for="${id}">${field.label}</label><input id="${id}" name="${field.name}" value="${writtenIn(scene, form, field.name, field.first)}" autocomplete="off"${described}${field.attributes ?? null}>${hint}</div>`
}

/**
 * Renders a GET form that shows a different view. Keeps all choices except those in `without`, which the form's own
 * fields replace.
 */
export function viewForm({ view }: Scene, without: readonly (keyof Choices)[], fields: HtmlValue, label: string): Html {
  const kept = view.hidden(without)
  const hidden = kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return html`<form class="asking" method="get" action="${PAGE_PATH}" data-asks role="search" aria-label="${label}">${hidden}${fields}</form>`
}

/**
 * Renders a link to a different view. The link looks like a button, and scripts follow it without reloading the page.
 */
export function viewLink({ view }: Scene, changed: Partial<Choices>, section: string, text: string): Html {
  return html`<a class="button" data-asks href="${view.href(changed, section)}">${text}</a>`
}

/**
 * Renders a list, with links to the first page and the next page if they exist. If the list has no items, renders the
 * text in `empty` instead.
 */
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
