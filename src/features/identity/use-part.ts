// usePart: the object URL of one part of the identity check.
import { useMemo } from 'react'
import { readWhole } from '#device/files/chunks.ts'
import { readMedia } from '#device/files/media.ts'
import { createStore, useStore } from '#src/lib/store.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'

export interface ShownPart {
  is: 'none' | 'converting' | 'failed' | 'ready'
  /** Of a part that is ready, once its bytes have been read. */
  url: string | undefined
}

const none: ShownPart = { is: 'none', url: undefined }
const states = { pending: 'converting', failed: 'failed', ready: 'ready' } as const

interface Read {
  readonly is: ShownPart['is']
  readonly bytes: Blob | undefined
}

/** The state of a part; `none` while it is read and when it is missing. */
export function usePart(mediaId: string | null): ShownPart {
  const part = useDeviceRead({
    key: ['part', mediaId],
    read: (before: Read | undefined) => readPart(mediaId, before),
    isAbout: (change) => change.store === 'media' && change.id === mediaId,
  })
  const url = useObjectUrl(part?.bytes)
  return part ? { is: part.is, url } : none
}

/** Reads a part; one that is ready does not change. */
async function readPart(mediaId: string | null, before: Read | undefined): Promise<Read> {
  if (before?.bytes) return before
  const media = mediaId === null ? undefined : await readMedia(mediaId)
  if (!media) return before ?? { is: 'none', bytes: undefined }
  const is = states[media.conversion.is]
  return { is, bytes: is === 'ready' ? await readWhole(media) : undefined }
}

/** An object URL of the bytes while they are shown. */
function useObjectUrl(bytes: Blob | undefined): string | undefined {
  return useStore(useMemo(() => createBytesUrl(bytes), [bytes]))
}

const createBytesUrl = (bytes: Blob | undefined) =>
  createStore<string | undefined>(undefined, (set) => {
    const url = bytes && URL.createObjectURL(bytes)
    set(url)
    return () => void (url !== undefined && URL.revokeObjectURL(url))
  })
