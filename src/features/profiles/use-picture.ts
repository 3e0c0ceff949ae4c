// usePicture: the person's avatar or cover on the server, and its change.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type PictureRole, putPicture, removePicture } from '#contract/people/people.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { profileFormText as words } from '#src/domain/people/text.ts'
import { viewer } from '#src/domain/session/session.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { cropped, type CropArea, pickedPicture } from './crop.ts'
import { picturesQuery } from './profiles.ts'

/** Largest sent width, twice the displayed one, px. */
const WIDTH: Record<PictureRole, number> = { avatar: 800, cover: 1920 }
/** Polling interval while the server processes a picture, ms. */
const POLL_INTERVAL = 1000

function showFailure(failure: unknown): void {
  if (!(failure instanceof ApiFailure)) throw failure
  toast(failure.code === 'unsupported_media' ? words.unreadable : errorText[failure.code], 'error')
}

/** The picked picture, until it is sent or discarded. */
function usePick() {
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
    else toast(words.unreadable, 'error')
  }
  return { picked, reading, pick, drop }
}

type Making = 'none' | 'making' | 'failed'

/** Calls back when the server has processed a picture, or failed to. */
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
export function usePicture(role: PictureRole) {
  const client = useQueryClient()
  const pictures = useQuery({
    ...picturesQuery,
    refetchInterval: ({ state }) => (state.data?.[role].next === 'making' ? POLL_INTERVAL : false),
  })
  const { picked, reading, pick, drop } = usePick()
  const [preview, setPreview] = useState<string>()
  const now = pictures.data?.[role]
  const state = now?.next
  useMade(state, (made) => {
    setPreview(undefined)
    if (made === 'failed') toast(words.failed, 'error')
    else {
      toast(words.changed, 'success')
      void refreshShown(client)
    }
  })
  useEffect(() => () => void (preview !== undefined && URL.revokeObjectURL(preview)), [preview])

  async function send(area: CropArea) {
    if (!picked) return
    const part = await cropped(picked.picture, area, WIDTH[role])
    const body = new FormData()
    body.append('picture', part, `${role}.jpg`)
    try {
      client.setQueryData(picturesQuery.queryKey, await call(putPicture, { params: { role }, body }))
      setPreview(URL.createObjectURL(part))
      drop()
    } catch (failure) {
      showFailure(failure)
    }
  }
  async function remove() {
    try {
      client.setQueryData(picturesQuery.queryKey, await call(removePicture, { params: { role } }))
      toast(words.removed, 'success')
      await refreshShown(client)
    } catch (failure) {
      showFailure(failure)
    }
  }
  return {
    picked,
    pick,
    send,
    remove,
    drop,
    src: preview ?? now?.url ?? null,
    busy: reading || state === 'making',
  }
}

/** Reads again all data with the avatar. */
async function refreshShown(client: ReturnType<typeof useQueryClient>): Promise<void> {
  await Promise.all([
    viewer.refreshNow(),
    client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getOwnPictures' }),
  ])
}
