// PictureField: shows, changes and removes the own avatar or cover.
import { Camera, Trash2 } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState, type ReactNode } from 'react'
import type { PictureRole } from '#contract/people/people.ts'
import { acceptedImages } from '#src/domain/media/accepted.ts'
import { text } from '#src/domain/text/text.ts'
import { profileFormText as words } from '#src/domain/people/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { usePicture } from './use-picture.ts'

const CropSheet = lazy(async () => ({ default: (await import('./crop-sheet.tsx')).CropSheet }))

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
          <IconButton
            look="over"
            label={label.change}
            icon={<Camera size={20} />}
            onClick={() => input.current?.click()}
          />
        )}
        <Removal of={role} offered={!picture.busy && picture.src !== null} onRemove={picture.remove} />
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
    </fieldset>
  )
}

interface RemovalProps {
  of: PictureRole
  /** Whether there is a picture that can be removed now. */
  offered: boolean
  onRemove: () => Promise<void>
}

/** The button that removes a picture, with its confirmation dialog. */
function Removal({ of: role, offered, onRemove }: RemovalProps) {
  const [confirming, setConfirming] = useState(false)
  const label = labels[role]
  return (
    <>
      {offered && (
        <IconButton
          look="over"
          label={label.remove}
          icon={<Trash2 size={18} />}
          onClick={() => setConfirming(true)}
        />
      )}
      <AlertDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={`${label.name}を${words.removeAsk}`}
        description={words.removeWhat}
        cancel={text.cancel}
        action={{
          label: words.remove,
          danger: true,
          onSelect: () => {
            setConfirming(false)
            void onRemove()
          },
        }}
      />
    </>
  )
}
