// PictureField: shows, changes and removes a picture.
import { Camera, Trash2 } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState, type ReactNode } from 'react'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import type { CropArea, CropShape, CropWords } from './crop-sheet.tsx'

const CropSheet = lazy(async () => ({ default: (await import('./crop-sheet.tsx')).CropSheet }))

/** A picture, and its changes. */
export interface ChangeablePicture {
  /** Null without one. */
  readonly src: string | null
  readonly busy: boolean
  /** The picked picture, until it is sent or discarded. */
  readonly picked: { readonly url: string } | undefined
  readonly pick: (file: File) => Promise<void>
  readonly send: (area: CropArea) => Promise<void>
  readonly drop: () => void
  readonly remove: () => Promise<void>
}

export interface PictureWords extends CropWords {
  readonly name: string
  readonly change: string
  readonly remove: string
  readonly removeTitle: string
  readonly removeText: string
  readonly removeAction: string
  readonly cancel: string
  readonly making: string
}

interface PictureFieldProps {
  picture: ChangeablePicture
  words: PictureWords
  shape: CropShape
  /** Values of the `accept` attribute. */
  accept: string
  /** Draws the picture; null where there is none. */
  children: (src: string | null) => ReactNode
  className: string
}

export function PictureField({ picture, words, shape, accept, children, className }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const status = useId()
  return (
    <fieldset aria-label={words.name} aria-describedby={status} className={className}>
      {children(picture.src)}
      <div className="absolute inset-0 flex items-center justify-center">
        {picture.busy ? (
          <span className="grid size-11 place-items-center rounded-pill bg-black/60 text-white">
            <Spinner label={words.making} />
          </span>
        ) : (
          <IconButton
            look="over"
            label={words.change}
            icon={<Camera size={20} />}
            onClick={() => input.current?.click()}
          />
        )}
        {!picture.busy && picture.src !== null && <Removal words={words} onRemove={picture.remove} />}
      </div>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={words.change}
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
            shape={shape}
            words={words}
            url={picture.picked.url}
            onCancel={picture.drop}
            onCrop={(area) => picture.send(area)}
          />
        </Suspense>
      )}
    </fieldset>
  )
}

/** The button that removes a picture, with its confirmation dialog. */
function Removal({ words, onRemove }: { words: PictureWords; onRemove: () => Promise<void> }) {
  const [confirming, setConfirming] = useState(false)
  return (
    <>
      <IconButton
        look="over"
        label={words.remove}
        icon={<Trash2 size={18} />}
        onClick={() => setConfirming(true)}
      />
      <AlertDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={words.removeTitle}
        description={words.removeText}
        cancel={words.cancel}
        action={{
          label: words.removeAction,
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
