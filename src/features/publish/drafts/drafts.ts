// This person's drafts as a list shows them, read from the device at every change.
import { writtenText } from '#device/drafts/draft-merge.ts'
import { isBlank, listDrafts } from '#device/drafts/drafts.ts'
import { listMedia } from '#device/files/media.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import type { Protocol } from '#device/jobs/job-rows.ts'
import type { Draft, Media } from '#device/database/schema.ts'

export interface DraftSummary {
  id: string
  protocol: Protocol
  /** The first line that is not blank; '' for none. */
  title: string
  kind: 'text' | 'images' | 'video'
  files: number
  /** A file is not complete on this device. */
  incomplete: boolean
  /** A photo could not be converted, and the person has to decide about it. */
  unconverted: boolean
  /** The draft's picture, if its bytes are on this device. */
  picture: Media | undefined
  updatedAt: number
}

/** @param rows the draft's media rows of every role */
export function summarize(draft: Draft, rows: readonly Media[]): DraftSummary {
  const find = (id: string | null) => rows.find((row) => row.id === id)
  const media = draft.mediaIds.flatMap((id) => find(id) ?? [])
  const pictures = [
    find(draft.thumbnailId),
    find(draft.frameId),
    ...media.filter((it) => it.kind === 'image'),
  ]
  const lines = writtenText(draft)
    .split('\n')
    .map((line) => line.trim())
  return {
    id: draft.id,
    protocol: draft.protocol,
    title: lines.find((line) => line !== '') ?? '',
    kind: media.length === 0 ? 'text' : media[0]?.kind === 'video' ? 'video' : 'images',
    files: media.length,
    unconverted: media.some((it) => it.conversion.is === 'failed'),
    incomplete: media.some((it) => it.bytes.is !== 'stored'),
    picture: pictures.find((row) => row?.bytes.is === 'stored' && row.conversion.is === 'ready'),
    updatedAt: draft.updatedAt,
  }
}

async function read(ownerId: string): Promise<DraftSummary[]> {
  const drafts = (await listDrafts(ownerId)).filter((draft) => !isBlank(draft))
  return Promise.all(drafts.map(async (draft) => summarize(draft, await listMedia(draft.id))))
}

/** This person's drafts, last changed first; undefined until they are read. */
export const useDrafts = (ownerId: string): DraftSummary[] | undefined =>
  useDeviceRead({
    key: ['drafts', ownerId],
    read: () => read(ownerId),
    isAbout: ({ store }) => store === 'drafts' || store === 'jobs' || store === 'media',
  })
