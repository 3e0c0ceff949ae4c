// One picked file as the editor shows it.
import { copiedPart } from '#device/files/chunks.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import type { PickedPreview } from '#src/domain/media/prepare/picture.ts'
import type { Cut } from '#src/domain/media/film/film-facts.ts'

export interface EditorItem {
  media: Media
  /** Of a picture; null while it is being read, and for a video. */
  preview: PickedPreview | null
  /** Copied part, 0..1; `lost` when copying was interrupted and the file must be picked again. */
  copied: number | 'lost'
  /** Set when this page holds the file, since the device had no room; `free` bytes, if reported. */
  heldByPage: { needed: number; free: number | undefined } | null
  /** Set for a video that ends long before the end in its index. */
  cut: Cut | null
}

interface FileFacts {
  preview: PickedPreview | null
  /** Whether its bytes are lost. */
  lost: boolean
  /** Free bytes of the device when the file was picked. */
  free: number | undefined
  cut: Cut | null
}

/** The editor's view of a file. Pure. */
export function itemOf(media: Media, { preview, lost, free, cut }: FileFacts): EditorItem {
  const { bytes } = media
  const picked = bytes.is === 'picked' && !lost
  return {
    media,
    preview,
    copied: lost ? 'lost' : copiedPart(media),
    heldByPage: picked ? { needed: media.size, free } : null,
    cut,
  }
}

/** A file of a draft that is not on the device. */
export interface MissingFile {
  id: string
  /** `undefined` if this page has never read its row. */
  name: string | undefined
}

/**
 * Picked files of a draft that are missing on the device, in the order of the post. Pure.
 * @param existing ids of the rows on the device
 * @param names of files that this page has read, by their ids
 */
export function missingFrom(
  { mediaIds, thumbnailId }: Pick<Draft, 'mediaIds' | 'thumbnailId'>,
  existing: ReadonlySet<string>,
  names: ReadonlyMap<string, string>,
): MissingFile[] {
  const picked = thumbnailId === null ? mediaIds : [...mediaIds, thumbnailId]
  return picked.filter((id) => !existing.has(id)).map((id) => ({ id, name: names.get(id) }))
}
