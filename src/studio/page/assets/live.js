// Listens for changes in the sandbox. Updates the parts of the page that each change may affect.
const query = new URL(import.meta.url).search
const base = new URL('.', import.meta.url).pathname
const { show, say } = await import(`./show.js${query}`)

const waiting = new Set()
let isDrawing = false

async function draw() {
  if (isDrawing || waiting.size === 0) return
  isDrawing = true
  const parts = [...waiting].join(' ')
  waiting.clear()
  const { search } = location
  try {
    const answer = await fetch(`${base}live${search}&parts=${encodeURIComponent(parts)}`)
    const text = await answer.text()
    // Discard the response if the user has opened another view since the request. That view is already up to date.
    if (answer.ok && search === location.search) show(text)
  } catch {
    // Ignore connection errors. `changes` reports them and reconnects by itself.
  }
  isDrawing = false
  void draw()
}

const changes = new EventSource(`${base}changes${query}`)
let wasLost = false

changes.addEventListener('change', ({ data }) => {
  for (const name of data.split(' ')) waiting.add(name)
  void draw()
})
changes.addEventListener('open', () => {
  if (wasLost) say('The sandbox is available again.')
  // Changes made before the connection opened were not reported, so update all parts now.
  for (const part of document.querySelectorAll('[data-live]')) waiting.add(part.dataset.live)
  void draw()
  wasLost = false
  document.documentElement.classList.remove('lost')
})
changes.addEventListener('error', () => {
  wasLost = true
  document.documentElement.classList.add('lost')
  say(
    changes.readyState === EventSource.CLOSED
      ? 'This sandbox has stopped. Start it again and open the address that sandbox start prints.'
      : 'The sandbox is not responding, so this page may be out of date.',
  )
})
