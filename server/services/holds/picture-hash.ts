// Makes the perceptual hash of a converted picture or poster.
import sharp from 'sharp'
import phash from 'sharp-phash'
import type { ObjectStore } from '#server/adapters/files/object-store.ts'
import type { HashedMedia } from '#server/store/moderation/removed-media.ts'

/** Least contrast of a picture, as the standard deviation of its brightness: below it the hash is that of noise. */
const LEAST_CONTRAST = 6

interface HashPorts {
  readonly storage: { readonly objects: Pick<ObjectStore, 'withLocal'> }
  readonly sniff: (file: string) => Promise<{ readonly mime: string } | undefined>
}

/**
 * The hash of a picture, 64 bits as 0 and 1. Only WebP is decoded, as for share cards: the files were made in the sandbox.
 * @returns null where nothing was made, and for a surface of one colour, which would resemble any other
 */
export async function pictureHash(
  { storage, sniff }: HashPorts,
  { id, kind, widths, hasPoster }: Pick<HashedMedia, 'id' | 'kind' | 'widths' | 'hasPoster'>,
): Promise<string | null> {
  const name = kind === 'image' ? nameOf(widths) : hasPoster ? 'poster.webp' : undefined
  if (name === undefined) return null
  return storage.objects.withLocal(`media/${id}/${name}`, async (file) => {
    if ((await sniff(file))?.mime !== 'image/webp') return null
    const { channels } = await sharp(file).greyscale().stats()
    if ((channels[0]?.stdev ?? 0) < LEAST_CONTRAST) return null
    return phash(file)
  })
}

/** The smallest picture: the hash is made of 32 pixels. */
const nameOf = (widths: readonly number[]) => (widths.length > 0 ? `w${Math.min(...widths)}.webp` : undefined)
