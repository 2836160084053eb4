// Replaces parts of the page. Keeps the focus, open details, scroll positions and unsubmitted input.

/** The HTML of each part, as the server last sent it. The HTML in the page itself may have changed since then. */
const sent = new Map()

for (const part of parts(document)) sent.set(part.dataset.live, part.innerHTML)

/** Replaces the parts of the page that differ from the given HTML. */
export function show(text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  for (const part of parts(fresh)) {
    const name = part.dataset.live
    const html = part.innerHTML
    if (sent.get(name) === html) continue
    sent.set(name, html)
    const old = document.querySelector(`[data-live="${name}"]`)
    if (old) replace(old, part)
  }
  document.dispatchEvent(new CustomEvent('shown'))
}

/** Shows a message in the page's header. Screen readers announce the message. */
export function say(text) {
  const state = document.getElementById('state')
  if (state && state.textContent !== text) state.textContent = text
}

function parts(root) {
  return root.querySelectorAll('[data-live]')
}

function replace(old, fresh) {
  const all = (selector) => [...old.querySelectorAll(selector)]
  const open = new Set(all('details[open][data-key]').map((one) => one.dataset.key))
  const closed = new Set(all('details:not([open])[data-key]').map((one) => one.dataset.key))
  for (const details of fresh.querySelectorAll('details[data-key]')) {
    if (open.has(details.dataset.key)) details.open = true
    if (closed.has(details.dataset.key)) details.open = false
  }
  const scrolled = all('[data-scroll]').map((one) => [one.dataset.scroll, one.scrollLeft, one.scrollTop])
  const fields = all('input[id], select[id]').filter(hasInput)
  const written = fields.map((one) => [one.id, one.value, one.checked])
  const focus = old.contains(document.activeElement) ? pathTo(document.activeElement, old) : null
  const selection = focus?.id && document.activeElement.selectionStart
  old.replaceChildren(...document.adoptNode(fresh).childNodes)
  for (const [key, left, top] of scrolled) {
    const one = old.querySelector(`[data-scroll="${key}"]`)
    if (one) [one.scrollLeft, one.scrollTop] = [left, top]
  }
  for (const [id, value, checked] of written) {
    const one = document.getElementById(id)
    if (one) [one.value, one.checked] = [value, checked]
  }
  const again = focus && find(focus, old)
  if (!again) return
  again.focus({ preventScroll: true })
  if (typeof selection === 'number' && again.setSelectionRange) again.setSelectionRange(selection, selection)
}

function hasInput(field) {
  if (field.type === 'checkbox') return field.checked !== field.defaultChecked
  if (field.tagName === 'SELECT') return [...field.options].some((one) => one.selected !== one.defaultSelected)
  return field.value !== field.defaultValue
}

/** Returns a description of an element by which `find` can locate it after its part of the page has been replaced. */
function pathTo(element, part) {
  const { id, tagName: tag, textContent: text } = element
  const key = element.closest('details[data-key]')?.dataset.key
  const same = [...part.querySelectorAll(tag)].filter((one) => one.textContent === text)
  return { id, key, tag, text, at: same.indexOf(element), scroll: element.dataset.scroll }
}

function find({ id, key, tag, text, at, scroll }, part) {
  if (id) return document.getElementById(id)
  if (scroll) return part.querySelector(`[data-scroll="${scroll}"]`)
  if (key && tag === 'SUMMARY') return part.querySelector(`details[data-key="${CSS.escape(key)}"] > summary`)
  return [...part.querySelectorAll(tag)].filter((one) => one.textContent === text)[at]
}
