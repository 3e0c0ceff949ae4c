// MediaTile: one picked file with its preview, copy progress and buttons.
import { mediaText } from '#src/domain/media/text.ts'
import { publishText } from '#src/features/publish/text.ts'
import { Captions, Check, Film, GripVertical, ImageOff, X } from 'lucide-react'
import { useState, type KeyboardEvent, type PointerEventHandler } from 'react'
import { playingTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { ProgressRing } from '#src/ui/states/progress.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { AltSheet } from '#src/features/publish/editor/alt-sheet.tsx'
import type { EditorItem } from './editor-item.ts'
import { PickedPicture } from '#src/domain/media/shown-picture.tsx'
import { text } from '#src/domain/text/text.ts'

/** Side of a tile and the space between two, px. */
export const TILE = 112
export const GAP = 8

interface MediaTileProps {
  item: EditorItem
  /** The frame of a video; a player would hold much of a large file in memory. */
  poster: string | null
  index: number
  count: number
  /** Offset from its place during a drag, px. */
  shift: number
  isDragged: boolean
  isShifting: boolean
  handlers: Record<
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
    PointerEventHandler<HTMLElement>
  >
  onMove: (to: number) => void
  onRemove: () => void
  onDescribe: (alt: string) => void
}

const words = publishText

export function MediaTile(props: MediaTileProps) {
  const { item, poster, index, count, shift, isDragged, isShifting, handlers, onMove, onRemove, onDescribe } =
    props
  const { name } = item.media
  return (
    // Dragging is for pointers; the grip below is for keyboards.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      {...handlers}
      data-sortable
      onContextMenu={(event) => event.preventDefault()}
      style={{ translate: `${shift}px` }}
      className={cx(
        'relative size-28 shrink-0 touch-pan-x overflow-clip rounded-media border border-line bg-sunk select-none',
        isDragged ? 'z-1 scale-105 cursor-grabbing shadow-float' : count > 1 && 'cursor-grab',
        isShifting && 'transition-[translate]',
      )}
    >
      <Preview item={item} poster={poster} />
      <Copying item={item} />
      {item.media.kind === 'image' && <Alt item={item} onDescribe={onDescribe} />}
      {item.cut && (
        <span className="pointer-events-none absolute top-1 left-1">
          <Badge look="over">{words.cutBadge}</Badge>
        </span>
      )}
      {item.media.duration !== null && (
        <span className="pointer-events-none absolute bottom-1 left-1">
          <Badge look="over">{playingTime(item.media.duration)}</Badge>
        </span>
      )}
      <IconButton
        look="over-small"
        label={words.remove(name)}
        icon={<X size={16} />}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={onRemove}
        className="absolute -top-1 -right-1"
      />
      {count > 1 && (
        <IconButton
          look="over-small"
          label={words.move(name, index + 1, count)}
          icon={<GripVertical size={16} />}
          onKeyDown={(event) => moveByKey(event, index, count, onMove)}
          className="absolute -right-1 -bottom-1 cursor-grab"
        />
      )}
    </li>
  )
}

/** Arrow keys move by one, Home and End to the ends. */
function moveByKey(event: KeyboardEvent, at: number, all: number, onMove: (to: number) => void): void {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  onMove(to)
}

function Preview({ item, poster }: Pick<MediaTileProps, 'item' | 'poster'>) {
  if (item.media.kind === 'video') {
    return (
      <span className="grid size-full place-items-center bg-black text-white">
        <Film aria-hidden size={28} />
        {poster && <img src={poster} alt={item.media.name} className="absolute size-full object-cover" />}
      </span>
    )
  }
  if (item.media.conversion.is === 'failed') {
    return (
      <span className="grid size-full place-content-center justify-items-center gap-1 px-1 text-center text-xs text-soft">
        <ImageOff aria-hidden size={24} />
        {mediaText.unconverted}
      </span>
    )
  }
  if (item.media.conversion.is === 'pending') {
    return (
      <span className="grid size-full place-items-center text-soft">
        <Spinner label={mediaText.preparing} />
      </span>
    )
  }
  if (item.preview === null) {
    return (
      <span className="grid size-full place-items-center text-soft">
        <Spinner label={text.loading} />
      </span>
    )
  }
  return <PickedPicture id={item.media.id} preview={item.preview} alt={item.media.alt || item.media.name} />
}

function Alt({ item, onDescribe }: Pick<MediaTileProps, 'item' | 'onDescribe'>) {
  const [open, setOpen] = useState(false)
  const { name, alt } = item.media
  return (
    <>
      <IconButton
        look="over-small"
        label={mediaText.alt(name, alt !== '')}
        icon={alt === '' ? <Captions size={16} /> : <Check size={16} />}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={() => setOpen(true)}
        className="absolute -bottom-1 -left-1"
      />
      <AltSheet item={item} open={open} onOpenChange={setOpen} onSave={onDescribe} />
    </>
  )
}

function Copying({ item }: { item: EditorItem }) {
  if (item.copied === 'lost') {
    return (
      <span className="absolute inset-0 grid place-items-center bg-black/60 px-1 text-center text-xs font-semibold text-white">
        {words.lost}
      </span>
    )
  }
  if (item.copied >= 1) return null
  return (
    <span className="pointer-events-none absolute inset-0 grid place-items-center bg-black/60 [&>*]:text-white">
      <ProgressRing label={words.copying(item.media.name)} value={item.copied * 100} />
    </span>
  )
}
