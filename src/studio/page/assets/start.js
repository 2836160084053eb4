// Loads what makes the page live. Each module is asked for with the token, as everything below the page is.
const query = new URL(import.meta.url).search
const names = ['details.js', 'links.js', 'forms.js', 'live.js', 'clock.js']
await Promise.all(names.map((name) => import(`./${name}${query}`)))
document.documentElement.classList.add('ready')

// Where not all of the day has room, the present is what people look for.
const now = document.querySelector('.now')
const grid = now?.closest('.grid')
if (grid) grid.scrollLeft = now.offsetLeft - grid.clientWidth / 2
