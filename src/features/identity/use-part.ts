// One part of the check as a picture or recording that can be shown: its bytes from this device as an object URL.
import { useEffect, useState } from 'react'
import { onChange } from '#device/database/changes.ts'
import { readWhole } from '#device/files/chunks.ts'
import { readMedia } from '#device/files/media.ts'

export interface ShownPart {
  is: 'none' | 'converting' | 'failed' | 'ready'
  /** Of a part that is ready, once its bytes have been read. */
  url: string | undefined
}

const none: ShownPart = { is: 'none', url: undefined }
const states = { pending: 'converting', failed: 'failed', ready: 'ready' } as const

/** How far a part is; `none` while it is read, and when it is not there. */
export function usePart(mediaId: string | null): ShownPart {
  const [shown, setShown] = useState<ShownPart & { of: string | null }>({ ...none, of: null })
  useEffect(() => {
    if (!mediaId) return undefined
    let url: string | undefined
    let over = false
    const look = async () => {
      const media = await readMedia(mediaId)
      if (over || url || !media) return
      const is = states[media.conversion.is]
      const bytes = is === 'ready' ? await readWhole(media) : undefined
      if (over || url) return
      if (bytes) url = URL.createObjectURL(bytes)
      setShown({ of: mediaId, is, url })
    }
    const start = () => void look().catch((error: unknown) => console.error(error))
    start()
    const deaf = onChange((change) => {
      if (change.store === 'media' && change.id === mediaId) start()
    })
    return () => {
      over = true
      deaf()
      if (url) URL.revokeObjectURL(url)
    }
  }, [mediaId])
  return shown.of === mediaId ? shown : none
}
