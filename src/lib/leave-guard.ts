// Asks before the page is left while a picked file is copied: its bytes would be lost.

let copying = 0

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** Runs the copying of a file; until it ends the browser asks whether the page is really to be left. */
export async function guardLeaving<T>(copy: Promise<T>): Promise<T> {
  if (++copying === 1) window.addEventListener('beforeunload', ask)
  try {
    return await copy
  } finally {
    if (--copying === 0) window.removeEventListener('beforeunload', ask)
  }
}
