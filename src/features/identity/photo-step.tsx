// PhotoStep: takes or picks a photo of one side of the document.
import { Camera, ImageUp } from 'lucide-react'
import { useState } from 'react'
import type { DocumentKind } from '#contract/identity/identity.ts'
import { identityText } from '#src/domain/identity/text.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { storePhoto } from './store-part.ts'
import { Problem, Tips } from './notes.tsx'
import { usePart } from './use-part.ts'

const words = identityText

interface PhotoStepProps {
  ownerId: string
  part: 'front' | 'back'
  kind: DocumentKind
  /** Id of the stored picture. */
  mediaId: string | null
  onNext: () => void
}

export function PhotoStep({ ownerId, part, kind, mediaId, onNext }: PhotoStepProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const name = kind === 'passport' ? words.passportPage : words.parts[part]
  async function take(file: File) {
    setBusy(true)
    setProblem(undefined)
    setProblem(await storePhoto(ownerId, part, file).catch(() => words.notStored))
    setBusy(false)
  }
  const shown = usePart(mediaId)
  // Also for a photo of an interrupted page.
  const waits = busy || shown.is === 'converting'
  return (
    <div className="flex flex-col gap-5">
      <Tips tips={words.photoTips} />
      {kind === 'my_number_card' && <p className="font-semibold">{words.myNumberTip}</p>}
      {mediaId && !waits && shown.is !== 'failed' && <Photo url={shown.url} name={name} />}
      {waits && (
        <div className="grid aspect-[3/2] place-items-center rounded-media bg-sunk">
          <Spinner label={words.storing} size={28} />
        </div>
      )}
      <Problem sentence={problem ?? (shown.is === 'failed' ? words.notPicture : undefined)} />
      {mediaId && shown.is === 'ready' && (
        <Button look="seal" wide onClick={onNext}>
          {words.confirmPhoto}
        </Button>
      )}
      <Picker
        label={mediaId ? words.takeAgain : words.take}
        look={mediaId ? 'quiet' : 'seal'}
        icon={<Camera aria-hidden size={20} />}
        capture
        onPick={(file) => void take(file)}
      />
      <Picker
        label={words.pickFile}
        look="quiet"
        icon={<ImageUp aria-hidden size={20} />}
        onPick={(file) => void take(file)}
      />
    </div>
  )
}

function Photo({ url, name }: { url: string | undefined; name: string }) {
  return url ? (
    <ShownPicture
      src={url}
      alt={words.shown(name)}
      className="max-h-[50dvh] w-full rounded-media bg-sunk object-contain"
    />
  ) : (
    <Skeleton className="aspect-[3/2] w-full" />
  )
}

interface PickerProps {
  label: string
  look: 'seal' | 'quiet'
  icon: React.ReactNode
  capture?: boolean
  onPick: (file: File) => void
}

/** A file input that looks like a button. */
function Picker({ label, look, icon, capture = false, onPick }: PickerProps) {
  return (
    <label
      className={`${buttonClass(look, 'normal', true)} focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-ink`}
    >
      <span className="inline-flex items-center gap-2">
        {icon}
        {label}
      </span>
      <input
        type="file"
        accept="image/jpeg,image/png,image/webp,image/heic,image/heif,.heic"
        {...(capture ? { capture: 'environment' as const } : {})}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (file) onPick(file)
        }}
      />
    </label>
  )
}
