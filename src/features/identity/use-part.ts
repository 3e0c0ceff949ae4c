// One part of the check as a picture or recording that can be shown: its bytes from this device as an object URL.
import { useEffect, useState } from 'react'
import { readWhole } from '#device/chunks.ts'
import { readMedia } from '#device/media.ts'

/** Undefined while it is read, and when it is not there. */
export function usePart(mediaId: string | null): string | undefined {
  const [shown, setShown] = useState<{ of: string; url: string }>()
  useEffect(() => {
    if (!mediaId) return undefined
    let url: string | undefined
    let over = false
    void readMedia(mediaId)
      .then((media) => media && readWhole(media))
      .then((bytes) => {
        if (!bytes || over) return
        url = URL.createObjectURL(bytes)
        setShown({ of: mediaId, url })
      })
    return () => {
      over = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [mediaId])
  return shown && shown.of === mediaId ? shown.url : undefined
}
