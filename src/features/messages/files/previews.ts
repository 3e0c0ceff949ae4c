// Previews of own files by their ids, also until the server has made theirs.
import { useEffect } from 'react'
import { MiB } from '#contract/limits.ts'
import type { Media } from '#device/database/schema.ts'
import { readWhole } from '#device/files/chunks.ts'
import { heldFile } from '#device/files/page-held.ts'
import type { PickedPreview } from '#src/domain/media/prepare/picture.ts'
import { createSignal, useStore } from '#src/lib/store.ts'

/** Previews of a page; the oldest one is removed for a further one. */
const MAX_PREVIEWS = 100
/** Images up to this size are copied into memory: their rows are deleted once they are sent. */
const MAX_COPIED = 16 * MiB

const previews = new Map<string, PickedPreview>()
/** Ids of files whose preview was made, or cannot be made here. */
const tried = new Set<string>()
const changed = createSignal()

function add(id: string, preview: PickedPreview): void {
  previews.set(id, preview)
  const [oldest] = previews
  if (previews.size > MAX_PREVIEWS && oldest) {
    oldest[1].release()
    previews.delete(oldest[0])
  }
  changed.emit()
}

/** The picture that shows a file: the image itself, or a video's frame. */
async function pictureOf({ kind, size }: Media, bytes: Blob): Promise<Blob | null> {
  if (kind === 'image')
    return size <= MAX_COPIED ? new Blob([await bytes.arrayBuffer()], { type: bytes.type }) : bytes
  const { frameOf } = await import('#src/domain/media/film/video-frame.ts')
  return (await frameOf(bytes)).picture
}

/** Makes the preview of a file once; without one, an icon is shown. */
async function make(row: Media, bytesOf: () => Promise<Blob | undefined>): Promise<void> {
  if (tried.has(row.id)) return
  tried.add(row.id)
  try {
    const bytes = await bytesOf()
    const picture = bytes && (await pictureOf(row, bytes))
    if (!picture) return
    const { previewOf } = await import('#src/domain/media/prepare/picture.ts')
    add(row.id, await previewOf(picture))
  } catch (error) {
    console.warn('no preview', error)
  }
}

/** Makes the preview of a picked file from its bytes. */
export const previewPicked = (row: Media, file: Blob): Promise<void> => make(row, async () => file)

const isReadable = ({ conversion, bytes }: Media): boolean =>
  conversion.is === 'ready' && bytes.is !== 'copying'

/** The preview of an own file that this page has; undefined without one. */
export const usePreview = (mediaId: string): PickedPreview | undefined =>
  useStore({ get: () => previews.get(mediaId), subscribe: changed.subscribe })

/** Reads the previews of these rows from the device. */
export function useReadPreviews(rows: readonly Media[]): void {
  useEffect(() => {
    for (const row of rows.filter(isReadable))
      void make(row, async () => (row.bytes.is === 'picked' ? heldFile(row.id) : readWhole(row)))
  }, [rows])
}
