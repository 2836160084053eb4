// Shows a booking's details in a modal dialog, which closes when the user presses Escape.
const query = new URL(import.meta.url).search
const dialog = document.getElementById('details')

/** The ID of the link that opened the dialog. When the dialog closes, this link gets the focus again. */
let opener = null

const hasDetails = () => dialog.querySelector('[data-live]').childElementCount > 0

function update() {
  const isWanted = hasDetails()
  if (isWanted && !dialog.matches(':modal')) {
    dialog.close()
    dialog.showModal()
    dialog.scrollTop = 0
  }
  if (!isWanted && dialog.open) dialog.close()
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-asks]')
  if (link && !dialog.contains(link)) opener = link.id
})

dialog.addEventListener('close', async () => {
  const address = new URL(location.href)
  if (!dialog.open && address.searchParams.has('booking') && hasDetails()) {
    address.searchParams.delete('booking')
    address.hash = ''
    const { go } = await import(`./links.js${query}`)
    await go(address.href)
  }
  if (opener) document.getElementById(opener)?.focus()
})

// Close the dialog when the user clicks on the backdrop.
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.requestClose?.() ?? dialog.close()
})

document.addEventListener('shown', update)
update()
