// CropSheet: crops a picture, by pointer or keys and a slider.
import { useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'

/** A part of a picture, in its pixels. */
export interface CropArea {
  x: number
  y: number
  width: number
  height: number
}

/** Aspect ratio and shape of the cropped part. */
export interface CropShape {
  readonly aspect: number
  readonly cut: 'round' | 'rect'
}

export interface CropWords {
  readonly cropTitle: string
  readonly cropHint: string
  readonly zoom: string
  readonly cropAct: string
  readonly working: string
  readonly close: string
}

const MIN_ZOOM = 1
const MAX_ZOOM = 4

interface CropSheetProps {
  shape: CropShape
  words: CropWords
  url: string
  onCancel: () => void
  onCrop: (area: CropArea) => Promise<void>
}

export function CropSheet({ shape, words, url, onCancel, onCrop }: CropSheetProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<CropArea>()
  const [busy, setBusy] = useState(false)
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
      closeLabel={words.close}
      footer={
        <Button
          look="seal"
          wide
          busy={busy}
          busyLabel={words.working}
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
          aspect={shape.aspect}
          cropShape={shape.cut}
          showGrid={false}
          disableAutomaticStylesInjection
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
        />
      </div>
      <Zoom label={words.zoom} value={zoom} onChange={setZoom} />
    </Sheet>
  )
}

interface ZoomProps {
  label: string
  value: number
  onChange: (zoom: number) => void
}

function Zoom({ label, value, onChange }: ZoomProps) {
  return (
    <label data-swipe-ignore className="mt-3 flex min-h-11 items-center gap-3 text-sm font-semibold">
      {label}
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
