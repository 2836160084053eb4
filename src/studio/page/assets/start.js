// Loads the modules of the page. Each request needs the token.
const query = new URL(import.meta.url).search
const names = ['details.js', 'links.js', 'forms.js', 'live.js', 'clock.js']
await Promise.all(names.map((name) => import(`./${name}${query}`)))
document.documentElement.classList.add('ready')

// Scrolls a day that does not fit to the current time.
const now = document.querySelector('.now')
const grid = now?.closest('.grid')
if (grid) grid.scrollLeft = now.offsetLeft - grid.clientWidth / 2
