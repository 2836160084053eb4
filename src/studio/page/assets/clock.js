// Counts the venue's clock on between two readings, while it runs.
let reading = null

function read() {
  const time = document.querySelector('[data-ticks]')
  reading = time && {
    time,
    now: Number(time.dataset.ticks),
    offset: Number(time.dataset.offset),
    at: performance.now(),
  }
}

function tick() {
  if (!reading?.time.isConnected) return
  const { time, now, offset, at } = reading
  const local = new Date(now + offset + performance.now() - at)
  time.querySelector('.ticks').textContent = local
    .toISOString()
    .slice('yyyy-MM-ddT'.length, 'yyyy-MM-ddTHH:mm:ss'.length)
}

document.addEventListener('shown', () => {
  if (!reading?.time.isConnected) read()
})
read()
setInterval(tick, 1000)
