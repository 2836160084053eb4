// Shows other views without reloading the page. The URL identifies the view, so that bookmarks and the browser's
// history work.
const query = new URL(import.meta.url).search
const { show, say } = await import(`./show.js${query}`)

let asked = 0

/** Loads the page at a URL and updates the parts that have changed. */
export async function load(href) {
  const turn = ++asked
  const main = document.querySelector('main')
  main.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(href, { headers: { accept: 'text/html' } })
    const text = await answer.text()
    if (turn !== asked) return
    if (answer.ok) show(text)
    else say(text)
  } catch {
    say('The sandbox is not responding.')
  } finally {
    if (turn === asked) main.removeAttribute('aria-busy')
  }
}

/** Shows the page at a URL and adds the URL to the browser's history. */
export async function go(href) {
  history.pushState(null, '', href)
  await load(href)
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-asks]')
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  if (!link || !isPlain) return
  event.preventDefault()
  void go(link.href).then(() => scrollTo(link.hash))
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!form.matches('form[data-asks]')) return
  event.preventDefault()
  const fields = [...new FormData(form)].filter(([, value]) => value !== '')
  void go(`${form.getAttribute('action')}?${new URLSearchParams(fields)}`)
})

// Apply checkboxes and dates as soon as they change, so that users do not have to click the button.
document.addEventListener('change', (event) => {
  const field = event.target
  if (field.matches('form[data-asks] input:is([type=checkbox], [type=date])') && field.validity.valid)
    field.form.requestSubmit()
})

addEventListener('popstate', () => void load(location.href))

/** Scrolls to the element that `#id` refers to, unless it is already visible. */
function scrollTo(hash) {
  const target = hash.length > 1 && document.querySelector(`${hash}:not(dialog)`)
  if (!target) return
  const { top, bottom } = target.getBoundingClientRect()
  if (bottom < 0 || top > innerHeight) target.scrollIntoView()
}
