// CropSheet: crops a picture, by pointer or keys and a slider.
import { useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import type { PictureRole } from '#contract/people/people.ts'
import { text } from '#src/domain/text/text.ts'
import { profileFormText as words } from '#src/domain/people/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import type { CropArea } from './crop.ts'

/** Aspect ratio and shape of the cropped part. */
const shapes = {
  avatar: { aspect: 1, cut: 'round' },
  cover: { aspect: 3, cut: 'rect' },
} as const

const MIN_ZOOM = 1
const MAX_ZOOM = 4

interface CropSheetProps {
  of: PictureRole
  url: string
  onCancel: () => void
  onCrop: (area: CropArea) => Promise<void>
}

export function CropSheet({ of, url, onCancel, onCrop }: CropSheetProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<CropArea>()
  const [busy, setBusy] = useState(false)
  const { aspect, cut } = shapes[of]
  async function use() {
    if (!area) return
    setBusy(true)
    await onCrop(area).finally(() => setBusy(false))
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open && !busy) onCancel()
      }}
      title={words.cropTitle}
      description={words.cropHint}
      closeLabel={text.close}
      footer={
        <Button
          look="seal"
          wide
          busy={busy}
          busyLabel={text.working}
          disabled={!area}
          onClick={() => void use()}
        >
          {words.cropAct}
        </Button>
      }
    >
      {/* The sheet closes by a swipe on its head; inside, a finger moves the picture. */}
      <div data-swipe-ignore className="relative h-72 overflow-hidden rounded-media bg-black">
        <Cropper
          image={url}
          crop={crop}
          zoom={zoom}
          minZoom={MIN_ZOOM}
          maxZoom={MAX_ZOOM}
          aspect={aspect}
          cropShape={cut}
          showGrid={false}
          disableAutomaticStylesInjection
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
        />
      </div>
      <Zoom value={zoom} onChange={setZoom} />
    </Sheet>
  )
}

function Zoom({ value, onChange }: { value: number; onChange: (zoom: number) => void }) {
  return (
    <label data-swipe-ignore className="mt-3 flex min-h-11 items-center gap-3 text-sm font-semibold">
      {words.zoom}
      <input
        type="range"
        min={MIN_ZOOM}
        max={MAX_ZOOM}
        step={0.01}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        className="min-w-0 flex-1 accent-ink"
      />
    </label>
  )
}
