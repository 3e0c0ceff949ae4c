// PickTiles: inputs for files of the device and, on touch screens, for its camera.
import { Camera, ImagePlus, Video } from 'lucide-react'
import type { ReactNode } from 'react'
import { mediaText } from '#src/domain/media/text.ts'
import { publishText } from '#src/features/publish/text.ts'
import { cx } from '#src/ui/cx.ts'
import { acceptedMedia } from '#src/domain/media/accepted.ts'

interface PickTilesProps {
  /** Whether the post has no file, so that the tiles fill the row. */
  first: boolean
  /** Whether a video may be added. */
  video: boolean
  onPick: (files: File[]) => void
}

export function PickTiles({ first, video, onPick }: PickTilesProps) {
  return (
    <>
      <li className={first ? 'flex-1' : 'shrink-0'}>
        <Tile
          accept={acceptedMedia}
          multiple
          onPick={onPick}
          className={cx('h-28', first ? 'gap-3 px-4' : 'w-28 flex-col gap-1 text-center text-xs')}
        >
          <ImagePlus aria-hidden size={24} className="shrink-0" />
          {publishText.addMedia}
        </Tile>
      </li>
      {/* On devices without a touch screen a camera input opens the file dialog. */}
      <li className="hidden w-28 shrink-0 flex-col gap-2 pointer-coarse:flex">
        <Tile
          accept="image/*"
          capture="environment"
          onPick={onPick}
          className={cx('flex-1 text-xs', video ? 'gap-1.5' : 'flex-col gap-1')}
        >
          <Camera aria-hidden size={video ? 20 : 24} className="shrink-0" />
          {mediaText.takePhoto}
        </Tile>
        {video && (
          <Tile accept="video/*" capture="environment" onPick={onPick} className="flex-1 gap-1.5 text-xs">
            <Video aria-hidden size={20} className="shrink-0" />
            {mediaText.takeVideo}
          </Tile>
        )}
      </li>
    </>
  )
}

interface TileProps {
  accept: string
  multiple?: boolean
  capture?: 'environment'
  onPick: (files: File[]) => void
  className: string
  children: ReactNode
}

function Tile({ accept: kinds, multiple = false, capture, onPick, className, children }: TileProps) {
  return (
    <label
      className={cx(
        'relative flex items-center justify-center rounded-media border border-dashed border-edge text-soft transition-colors hover:border-ink hover:text-ink has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-ink',
        className,
      )}
    >
      {children}
      <input
        type="file"
        multiple={multiple}
        accept={kinds}
        capture={capture}
        className="sr-only"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // Allows picking the same file again after its removal.
          event.target.value = ''
          if (files.length > 0) onPick(files)
        }}
      />
    </label>
  )
}
