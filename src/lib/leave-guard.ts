// Warns before the page is left while a picked file is being copied.

let copying = 0

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** Waits for the copying of a file; until then the browser warns before leaving. */
export async function guardLeaving<T>(copy: Promise<T>): Promise<T> {
  if (++copying === 1) window.addEventListener('beforeunload', warn)
  try {
    return await copy
  } finally {
    if (--copying === 0) window.removeEventListener('beforeunload', warn)
  }
}
