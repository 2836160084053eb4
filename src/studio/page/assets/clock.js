// While the venue's clock is running, advances the displayed time between updates from the server.
let reading = null

function read() {
  const time = document.querySelector('[data-ticks]')
  const { ticks, offset } = time?.dataset ?? {}
  reading = time && { time, now: Number(ticks), offset: Number(offset), at: performance.now() }
}

function tick() {
  if (!reading?.time.isConnected) return
  const { time, now, offset, at } = reading
  const local = new Date(now + offset + performance.now() - at)
  time.querySelector('.ticks').textContent = local.toISOString().slice(11, 19)
}

document.addEventListener('shown', () => {
  if (!reading?.time.isConnected) read()
})
read()
setInterval(tick, 1000)
