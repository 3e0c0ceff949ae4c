// usePictureChange: picking, cropping, sending and removing a picture that the server converts.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiFailure } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { cropped, type CropArea, pickedPicture } from './crop.ts'
import { pictureText as words } from './text.ts'

/** Polling interval while the server converts a picture, ms. */
export const PICTURE_POLL_INTERVAL = 1000

/** State of the picture that was sent last. */
export type Making = 'none' | 'making' | 'failed'

export interface PictureSource {
  /** The shown picture and the one that replaces it; undefined while they are read. */
  readonly now: { readonly url: string | null; readonly next: Making } | undefined
  /** Largest sent width, px. */
  readonly width: number
  readonly send: (form: FormData) => Promise<void>
  readonly remove: () => Promise<void>
  /** Called when the server has converted a picture, or when one was removed. */
  readonly onChanged: () => Promise<void> | void
  readonly toast: (sentence: string, kind: 'success' | 'error') => void
}

/** The picked picture, until it is sent or discarded. */
function usePick(onUnreadable: () => void) {
  const [picked, setPicked] = useState<{ picture: Blob; url: string }>()
  const [reading, setReading] = useState(false)
  function drop() {
    if (picked) URL.revokeObjectURL(picked.url)
    setPicked(undefined)
  }
  async function pick(file: File) {
    setReading(true)
    const found = await pickedPicture(file)
    setReading(false)
    if (found) setPicked({ picture: found, url: URL.createObjectURL(found) })
    else onUnreadable()
  }
  return { picked, reading, pick, drop }
}

/** Calls back when the server has converted a picture, or failed to. */
function useMade(state: Making | undefined, onMade: (state: Making) => void): void {
  const waited = useRef(false)
  const done = useEffectEvent(onMade)
  useEffect(() => {
    if (state === 'making') waited.current = true
    if (!waited.current || state === undefined || state === 'making') return
    waited.current = false
    done(state)
  }, [state])
}

/** The displayed and the picked picture, and their actions. */
export function usePictureChange({ now, width, send, remove, onChanged, toast }: PictureSource) {
  const { picked, reading, pick, drop } = usePick(() => toast(words.unreadable, 'error'))
  const [preview, setPreview] = useState<string>()
  useMade(now?.next, (made) => {
    setPreview(undefined)
    if (made === 'failed') toast(words.failed, 'error')
    else {
      toast(words.changed, 'success')
      void onChanged()
    }
  })
  useEffect(() => () => void (preview !== undefined && URL.revokeObjectURL(preview)), [preview])

  function showFailure(failure: unknown): void {
    if (!(failure instanceof ApiFailure)) throw failure
    toast(failure.code === 'unsupported_media' ? words.unreadable : errorText[failure.code], 'error')
  }

  return {
    picked,
    pick,
    drop,
    src: preview ?? now?.url ?? null,
    busy: reading || now?.next === 'making',
    async send(area: CropArea) {
      if (!picked) return
      const part = await cropped(picked.picture, area, width)
      const form = new FormData()
      form.append('picture', part, 'picture.jpg')
      try {
        await send(form)
        setPreview(URL.createObjectURL(part))
        drop()
      } catch (failure) {
        showFailure(failure)
      }
    },
    async remove() {
      try {
        await remove()
        setPreview(undefined)
        toast(words.removed, 'success')
        await onChanged()
      } catch (failure) {
        showFailure(failure)
      }
    },
  }
}
