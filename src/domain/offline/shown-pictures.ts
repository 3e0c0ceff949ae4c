// Requests pictures again that this page showed before its worker could cache them.
import { pictureName } from '#device/cache/picture-names.ts'
import { listPictures } from '#device/cache/pictures.ts'

/** Addresses that were asked for once more. What is not kept then is not to be kept. */
const asked = new Set<string>()

/** Lets the worker keep what stands on the page and is not kept. @param ownerId who is signed in */
export async function keepShown(ownerId: string): Promise<void> {
  if (!navigator.serviceWorker?.controller) return
  const kept = await listPictures(ownerId)
  for (const { complete, naturalWidth, currentSrc } of document.images) {
    if (!complete || naturalWidth === 0 || !currentSrc.startsWith(`${location.origin}/`)) continue
    const name = pictureName(new URL(currentSrc).pathname)
    if (!name || kept.has(name.ref) || asked.has(currentSrc)) continue
    asked.add(currentSrc)
    await fetch(currentSrc, { cache: 'force-cache' }).catch(() => undefined)
  }
}
