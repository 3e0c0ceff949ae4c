// One picked file as the editor shows it.
import { chunksOf } from '#device/files/chunks.ts'
import type { Draft, Media } from '#device/database/schema.ts'

export interface EditorItem {
  media: Media
  /** Object URL of a picked picture; null while it is read back from the device, and for a video. */
  preview: string | null
  /** Copied to the device so far, 0..1; `lost` when the copying ended before its end and the file must be picked again. */
  copied: number | 'lost'
  /** The device had no room for it: this page holds it. `free` bytes, if the browser reports them. */
  kept: { needed: number; free: number | undefined } | null
}

interface Known {
  preview: string | null
  /** Its bytes are no longer to be had. */
  lost: boolean
  /** Room on the device when it was picked, bytes. */
  free: number | undefined
}

/** A file with what this page knows of it. Pure. */
export function itemOf(media: Media, { preview, lost, free }: Known): EditorItem {
  const { bytes } = media
  const copied = bytes.is === 'copying' ? bytes.stored / Math.max(1, chunksOf(media.size)) : 1
  const picked = bytes.is === 'picked' && !lost
  return {
    media,
    preview,
    copied: lost ? 'lost' : copied,
    kept: picked ? { needed: media.size, free } : null,
  }
}

/** A file of a draft that is not on the device. */
export interface MissingFile {
  id: string
  /** `undefined` where this page has never seen its row. */
  name: string | undefined
}

/**
 * Picked files that a draft names and the device does not have, in the order of the post. Pure.
 * @param there ids of the rows on the device
 * @param names of files this page has seen, by their ids
 */
export function missingFrom(
  { mediaIds, thumbnailId }: Pick<Draft, 'mediaIds' | 'thumbnailId'>,
  there: ReadonlySet<string>,
  names: ReadonlyMap<string, string>,
): MissingFile[] {
  const picked = thumbnailId === null ? mediaIds : [...mediaIds, thumbnailId]
  return picked.filter((id) => !there.has(id)).map((id) => ({ id, name: names.get(id) }))
}
