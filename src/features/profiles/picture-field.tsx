// PictureField: one's avatar or cover: shown as it will be, changed at once, and removed when that was meant.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Camera, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { type PictureRole, putPicture, removePicture } from '#contract/people/people.ts'
import { acceptedImages } from '#src/domain/media/accepted.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { viewer } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { profileFormText as words } from '#src/domain/people/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { cropped, type CropArea, pickedPicture } from './crop.ts'
import { picturesQuery } from './profiles.ts'

const CropSheet = lazy(async () => ({ default: (await import('./crop-sheet.tsx')).CropSheet }))

/** Widest that is sent: twice what is shown. */
const WIDTH: Record<PictureRole, number> = { avatar: 800, cover: 1920 }
/** While the server makes a picture it is asked again this often, ms. */
const LOOK_AGAIN = 1000

const labels = {
  avatar: { name: words.avatar, change: words.changeAvatar, remove: words.removeAvatar },
  cover: { name: words.cover, change: words.changeCover, remove: words.removeCover },
} as const

interface PictureFieldProps {
  of: PictureRole
  /** Draws the picture; null where there is none. */
  children: (src: string | null) => ReactNode
  className: string
}

export function PictureField({ of: role, children, className }: PictureFieldProps) {
  const picture = usePicture(role)
  const input = useRef<HTMLInputElement>(null)
  const [asking, setAsking] = useState(false)
  const label = labels[role]
  const status = useId()
  return (
    <fieldset aria-label={label.name} aria-describedby={status} className={className}>
      {children(picture.src)}
      <div className="absolute inset-0 flex items-center justify-center">
        {picture.busy ? (
          <span className="grid size-11 place-items-center rounded-pill bg-black/60 text-white">
            <Spinner label={words.making} />
          </span>
        ) : (
          <>
            <IconButton
              look="over"
              label={label.change}
              icon={<Camera size={20} />}
              onClick={() => input.current?.click()}
            />
            {picture.src !== null && (
              <IconButton
                look="over"
                label={label.remove}
                icon={<Trash2 size={18} />}
                onClick={() => setAsking(true)}
              />
            )}
          </>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={acceptedImages}
        aria-label={label.change}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void picture.pick(file)
        }}
      />
      <output id={status} className="sr-only">
        {picture.busy ? words.making : ''}
      </output>
      {picture.picked && (
        <Suspense>
          <CropSheet
            of={role}
            url={picture.picked.url}
            onCancel={picture.drop}
            onCrop={(area) => picture.send(area)}
          />
        </Suspense>
      )}
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={`${label.name}を${words.removeAsk}`}
        description={words.removeWhat}
        cancel={text.cancel}
        act={{
          label: words.remove,
          danger: true,
          onSelect: () => {
            setAsking(false)
            void picture.remove()
          },
        }}
      />
    </fieldset>
  )
}

function say(failure: unknown): void {
  if (!(failure instanceof ApiFailure)) throw failure
  toast(failure.code === 'unsupported_media' ? words.unreadable : errorText[failure.code], 'error')
}

/** What is shown, what was picked, and what can be done with both. */
function usePicture(role: PictureRole) {
  const client = useQueryClient()
  const pictures = useQuery({
    ...picturesQuery,
    refetchInterval: ({ state }) => (state.data?.[role].next === 'making' ? LOOK_AGAIN : false),
  })
  const [picked, setPicked] = useState<{ picture: Blob; url: string }>()
  const [preview, setPreview] = useState<string>()
  const [reading, setReading] = useState(false)
  const now = pictures.data?.[role]
  const waited = useRef(false)
  const state = now?.next
  useEffect(() => {
    if (state === 'making') waited.current = true
    if (!waited.current || state === undefined || state === 'making') return
    waited.current = false
    setPreview(undefined)
    if (state === 'failed') toast(words.failed, 'error')
    else {
      toast(words.changed, 'success')
      void seenAnew(client)
    }
  }, [state, client])
  useEffect(() => () => void (preview !== undefined && URL.revokeObjectURL(preview)), [preview])

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
      say(failure)
    }
  }
  async function remove() {
    try {
      client.setQueryData(picturesQuery.queryKey, await call(removePicture, { params: { role } }))
      toast(words.removed, 'success')
      await seenAnew(client)
    } catch (failure) {
      say(failure)
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

/** The face stands in menus, on posts and beside comments too. */
async function seenAnew(client: ReturnType<typeof useQueryClient>): Promise<void> {
  await Promise.all([
    viewer.refreshNow(),
    client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getOwnPictures' }),
  ])
}
