// Follows links and forms that ask for another view without loading the page anew. The address says what is shown, so that it can be
// kept, sent, and gone back from.
const query = new URL(import.meta.url).search
const { show, say } = await import(`./show.js${query}`)

let asked = 0

/** Shows the page at an address. */
export async function look(href) {
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
    say('The sandbox does not answer.')
  } finally {
    if (turn === asked) main.removeAttribute('aria-busy')
  }
}

/** Goes to an address, which the browser's history then has. */
export async function go(href) {
  history.pushState(null, '', href)
  await look(href)
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

// A box that is ticked and a day that is chosen need no button.
document.addEventListener('change', (event) => {
  const field = event.target
  if (field.matches('form[data-asks] input:is([type=checkbox], [type=date])') && field.validity.valid)
    field.form.requestSubmit()
})

addEventListener('popstate', () => void look(location.href))

/** Only to what is out of sight: the page stays where a person has it. */
function scrollTo(hash) {
  const target = hash.length > 1 && document.querySelector(`${hash}:not(dialog)`)
  if (!target) return
  const { top, bottom } = target.getBoundingClientRect()
  if (bottom < 0 || top > innerHeight) target.scrollIntoView()
}
