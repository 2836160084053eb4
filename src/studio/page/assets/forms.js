// Submits action forms without reloading the page. Hides the fields that do not apply to the selected kind of fault.
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
    // The server redirects back to the page if the action succeeded. Otherwise, the response shows the problem.
    const isDone = answer.redirected
    if (isDone) form.reset()
    const section = form.closest('section')
    const hadFocus = form.contains(document.activeElement)
    show(text)
    say(isDone ? done : 'There is a problem with the form.')
    const again = id === '' ? null : document.getElementById(id)
    if (!isDone) again?.querySelector('input:not([type=hidden]), select')?.focus()
    // The focused element may no longer exist, for example the button that cleared a fault.
    else if (hadFocus && !document.activeElement?.closest('section')) focusOn(section.querySelector('h2'))
  } catch {
    say('The sandbox is not responding.')
  } finally {
    form.removeAttribute('aria-busy')
  }
})

function focusOn(heading) {
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

function hideUnused() {
  const kind = document.getElementById('add-fault-kind')?.value
  for (const field of document.querySelectorAll('#add-fault .of')) {
    const isWanted = field.classList.contains(kind)
    field.hidden = !isWanted
    field.querySelector('input').disabled = !isWanted
  }
}

document.addEventListener('change', (event) => {
  if (event.target.id === 'add-fault-kind') hideUnused()
})
document.addEventListener('reset', () => queueMicrotask(hideUnused))
document.addEventListener('shown', hideUnused)
hideUnused()
