// Sends the forms that do something, and shows what became of it in place. Fields that belong to another kind of fault are put away.
const query = new URL(import.meta.url).search
const { show, say } = await import(`./show.js${query}`)

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!form.matches('form.action') || form.hasAttribute('aria-busy')) return
  event.preventDefault()
  form.setAttribute('aria-busy', 'true')
  const { id } = form
  const done = form.dataset.done
  say('Working …')
  try {
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
    const text = await answer.text()
    if (!answer.ok) return say(text)
    // What was wrong comes as it is; what is done leads back to the page.
    const isDone = answer.redirected
    if (isDone) form.reset()
    const section = form.closest('section')
    const hadFocus = form.contains(document.activeElement)
    show(text)
    say(isDone ? done : 'That could not be done.')
    const again = id === '' ? null : document.getElementById(id)
    if (!isDone) again?.querySelector('input:not([type=hidden]), select')?.focus()
    // What had the focus may be gone, as the button of a fault is.
    else if (hadFocus && !document.activeElement?.closest('section')) focusOn(section.querySelector('h2'))
  } catch {
    say('The sandbox does not answer.')
  } finally {
    form.removeAttribute('aria-busy')
  }
})

function focusOn(heading) {
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

function putAway() {
  const kind = document.getElementById('add-fault-kind')?.value
  for (const field of document.querySelectorAll('#add-fault .of')) {
    const isWanted = field.classList.contains(kind)
    field.hidden = !isWanted
    field.querySelector('input').disabled = !isWanted
  }
}

document.addEventListener('change', (event) => {
  if (event.target.id === 'add-fault-kind') putAway()
})
document.addEventListener('reset', () => queueMicrotask(putAway))
document.addEventListener('shown', putAway)
putAway()
