// Loads the page's modules. The URL of each module must contain the token.
const query = new URL(import.meta.url).search
const names = ['details.js', 'links.js', 'forms.js', 'live.js', 'clock.js']
await Promise.all(names.map((name) => import(`./${name}${query}`)))
document.documentElement.classList.add('ready')

// Scroll the diary to the current time, in case the whole day does not fit on the screen.
const now = document.querySelector('.now')
const grid = now?.closest('.grid')
if (grid) grid.scrollLeft = now.offsetLeft - grid.clientWidth / 2
