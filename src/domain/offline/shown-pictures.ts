// Requests pictures again that this page showed before its worker could cache them.
import { pictureName } from '#device/cache/picture-names.ts'
import { listPictures } from '#device/cache/pictures.ts'

/** URLs that were requested once more. If a picture is still not stored then, it cannot be. */
const asked = new Set<string>()

/**
 * Lets the worker store the displayed pictures that are not stored.
 * @param ownerId the signed-in person
 */
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
