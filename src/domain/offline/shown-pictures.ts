// Requests displayed pictures again that the worker has not cached.
import { pictureName } from '#device/cache/picture-names.ts'
import { listPictures } from '#device/cache/pictures.ts'

/** URLs that were requested again; each is requested once. */
const requested = new Set<string>()

/**
 * Lets the worker cache the displayed pictures that are not cached.
 * @param ownerId the signed-in person
 */
export async function cacheShownPictures(ownerId: string): Promise<void> {
  if (!navigator.serviceWorker?.controller) return
  const cached = await listPictures(ownerId)
  for (const { complete, naturalWidth, currentSrc } of document.images) {
    if (!complete || naturalWidth === 0 || !currentSrc.startsWith(`${location.origin}/`)) continue
    const name = pictureName(new URL(currentSrc).pathname)
    if (!name || cached.has(name.ref) || requested.has(currentSrc)) continue
    requested.add(currentSrc)
    await fetch(currentSrc, { cache: 'force-cache' }).catch(() => undefined)
  }
}
