// PickedStrip: the files picked for the next message, to look at and remove.
import { Film, ImageOff, RotateCw, X } from 'lucide-react'
import type { Media } from '#device/database/schema.ts'
import { PickedPicture } from '#src/domain/media/shown-picture.tsx'
import { mediaText } from '#src/domain/media/text.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { ProgressRing } from '#src/ui/states/progress.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { usePreview } from './previews.ts'
import { messageFilesText as words } from './text.ts'
import type { MessageFiles, PickedItem } from './use-message-files.ts'

export function PickedStrip({ files }: { files: MessageFiles }) {
  const { items, adding, refused } = files
  const isHeld = items.some(({ media, state }) => media.bytes.is === 'picked' && state.is !== 'lost')
  return (
    <>
      {!files.isEmpty && (
        <ul
          aria-label={words.picked}
          className="flex [scrollbar-width:thin] pointer-coarse:scroll-quiet gap-2 overflow-x-auto px-2 pt-1 pb-2"
        >
          {items.map((item) => (
            <Tile key={item.media.id} item={item} onRemove={() => files.remove(item.media.id)} />
          ))}
          {Array.from({ length: adding }, (_, i) => (
            <li key={i} className={`${tile} grid place-items-center text-soft`}>
              <Spinner label={words.storing} />
            </li>
          ))}
        </ul>
      )}
      {isHeld && <p className="px-2 pb-1 text-sm text-seal-text">{words.heldByPage}</p>}
      <output className="block px-2 text-sm text-seal-text">
        {items.map(
          ({ media: { id, name, conversion } }) =>
            conversion.is === 'ready' &&
            conversion.stilled && (
              <p key={id} className="pb-1 [overflow-wrap:anywhere]">
                {mediaText.stilled(name)}
              </p>
            ),
        )}
      </output>
      <div role="alert" className="px-2 text-sm text-seal-text">
        {[...new Set(refused.map(({ name, why }) => words.problem(name, words.problems[why])))].map((it) => (
          <p key={it} className="pb-1 [overflow-wrap:anywhere]">
            {it}
          </p>
        ))}
        {items.map(
          (item) =>
            item.state.is === 'unconverted' && (
              <Unconverted key={item.media.id} item={item} format={item.state.format} files={files} />
            ),
        )}
      </div>
    </>
  )
}

const tile = 'relative size-20 shrink-0 overflow-clip rounded-field border border-line bg-sunk'

function Tile({ item, onRemove }: { item: PickedItem; onRemove: () => void }) {
  const { name } = item.media
  return (
    <li className={tile}>
      <FilePicture media={item.media} alt={name} />
      <Waiting item={item} />
      <IconButton
        look="over-small"
        label={words.remove(name)}
        icon={<X size={16} />}
        onClick={onRemove}
        className="absolute -top-1.5 -right-1.5"
      />
    </li>
  )
}

interface FilePictureProps {
  readonly media: Pick<Media, 'id' | 'kind'>
  readonly alt: string
}

/** A file's preview, or an icon of its kind. */
export function FilePicture({ media, alt }: FilePictureProps) {
  const preview = usePreview(media.id)
  const isVideo = media.kind === 'video'
  return (
    <span className={`relative grid size-full place-items-center ${isVideo ? 'bg-black text-white' : ''}`}>
      {preview !== undefined && (
        <span className="absolute inset-0">
          <PickedPicture id={media.id} preview={preview} alt={alt} />
        </span>
      )}
      {isVideo && (
        <span className="relative grid size-8 place-items-center rounded-pill bg-black/60">
          <Film aria-hidden size={18} />
        </span>
      )}
      {preview === undefined && <span className="sr-only">{alt}</span>}
    </span>
  )
}

function Waiting({ item: { media, state } }: { item: PickedItem }) {
  switch (state.is) {
    case 'ready':
      return null
    case 'copying':
      return (
        <span className="pointer-events-none absolute inset-0 grid place-items-center bg-black/60 [&>*]:text-white">
          <ProgressRing label={words.storing} value={state.share * 100} />
        </span>
      )
    case 'converting':
      return (
        <span className="absolute inset-0 grid place-items-center text-soft">
          <Spinner label={mediaText.preparing} />
        </span>
      )
    case 'unconverted':
      return (
        <span className="absolute inset-0 grid place-content-center justify-items-center gap-1 px-1 text-center text-xs text-soft">
          <ImageOff aria-hidden size={20} />
          {mediaText.unconverted}
        </span>
      )
    case 'lost':
      return (
        <span className="absolute inset-0 grid items-end justify-items-center bg-black/60 px-1 pb-1.5 text-center text-xs font-semibold text-white">
          <span>
            <span className="sr-only">{media.name}</span>
            {words.lost}
          </span>
        </span>
      )
    default:
      return state satisfies never
  }
}

interface UnconvertedProps {
  readonly item: PickedItem
  readonly format: string
  readonly files: MessageFiles
}

/** A photo that could not be converted, and what can be done with it. */
function Unconverted({ item: { media }, format, files }: UnconvertedProps) {
  const { id, name, conversion } = media
  const why = conversion.is === 'failed' ? mediaText.unconvertedWhy[conversion.why] : ''
  return (
    <div className="pb-1">
      <p className="[overflow-wrap:anywhere]">{words.problem(name, why)}</p>
      <p className="flex flex-wrap gap-2 pt-1">
        <Button
          look="quiet"
          size="small"
          icon={<RotateCw aria-hidden size={16} />}
          aria-label={mediaText.forPhoto(mediaText.convertAgain, name)}
          onClick={() => files.convertAgain(id)}
        >
          {mediaText.convertAgain}
        </Button>
        {/* The server can convert a HEIC, but no other picture that fails here. */}
        {format === 'heic' && (
          <Button
            look="quiet"
            size="small"
            aria-label={mediaText.forPhoto(mediaText.sendAsPicked, name)}
            onClick={() => files.sendAsPicked(id)}
          >
            {mediaText.sendAsPicked}
          </Button>
        )}
        <Button look="danger" size="small" aria-label={words.remove(name)} onClick={() => files.remove(id)}>
          {words.takeOut}
        </Button>
      </p>
    </div>
  )
}
