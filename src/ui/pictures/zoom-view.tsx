// ZoomView: a picture that is zoomed, panned and turned in its frame.
import { Maximize, Minus, Plus, RotateCw } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { useZoom } from './use-zoom.ts'
import type { Size, Stage, View } from './zoom.ts'
import { fitScale } from './zoom.ts'

export interface ZoomWords {
  readonly zoomIn: string
  readonly zoomOut: string
  readonly fit: string
  readonly turn: string
  /** The keys, for assistive technology. */
  readonly keys: string
  /** The zoom in percent of the whole picture, and the turn in degrees. */
  readonly level: (percent: number, turn: number) => string
}

interface ZoomViewProps {
  src: string
  alt: string
  /** What the frame shows. */
  label: string
  words: ZoomWords
  /** The whole picture is there. */
  onLoad?: () => void
  onError: () => void
  /** Classes of the frame, which has no height of its own. */
  className: string
}

export function ZoomView({ src, alt, label, words, onLoad, onError, className }: ZoomViewProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [picture, setPicture] = useState<Size>()
  const { view, stage, act, handlers } = useZoom(frame, picture)
  const id = useId()
  return (
    <div>
      <div
        ref={frame}
        role="application"
        aria-label={label}
        aria-describedby={id}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- zoomed and panned by keys
        tabIndex={0}
        {...handlers}
        className={cx(
          'relative overflow-clip rounded-media bg-sunk select-none',
          // With one finger the page scrolls until the picture is enlarged.
          (view?.zoom ?? 1) > 1 ? 'cursor-grab touch-none active:cursor-grabbing' : 'touch-pan-y',
          className,
        )}
      >
        <img
          src={src}
          alt={alt}
          draggable={false}
          onLoad={({ currentTarget: it }) => {
            setPicture({ width: it.naturalWidth, height: it.naturalHeight })
            onLoad?.()
          }}
          onError={onError}
          className="pointer-events-none absolute top-1/2 left-1/2 max-w-none"
          style={view && stage ? styleOf(view, stage) : { opacity: 0 }}
        />
      </div>
      <p id={id} hidden>
        {words.keys}
      </p>
      <div className="mt-1 flex items-center">
        <IconButton label={words.zoomOut} icon={<Minus aria-hidden size={20} />} onClick={act.out} />
        <output className="min-w-14 text-center text-sm text-soft tabular-nums">
          {words.level(Math.round((view?.zoom ?? 1) * 100), view?.turn ?? 0)}
        </output>
        <IconButton label={words.zoomIn} icon={<Plus aria-hidden size={20} />} onClick={act.in} />
        <IconButton label={words.fit} icon={<Maximize aria-hidden size={20} />} onClick={act.fit} />
        <IconButton label={words.turn} icon={<RotateCw aria-hidden size={20} />} onClick={act.turn} />
      </div>
    </div>
  )
}

function styleOf(view: View, stage: Stage) {
  const scale = fitScale(stage, view.turn) * view.zoom
  return {
    width: stage.picture.width,
    height: stage.picture.height,
    transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) rotate(${view.turn}deg) scale(${scale})`,
  }
}
