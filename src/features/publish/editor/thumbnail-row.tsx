// ThumbnailRow: the post's thumbnail, chosen or taken from the video at 2 s.
import { mediaText } from '#src/domain/media/text.ts'
import { publishText } from '#src/features/publish/text.ts'
import { Image as ImageIcon } from 'lucide-react'
import { useRef } from 'react'
import { acceptedImages } from '#src/domain/media/accepted.ts'
import { Button } from '#src/ui/button.tsx'
import { FieldNotes } from '#src/ui/fields/field.tsx'
import { ProgressRing } from '#src/ui/states/progress.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import type { EditorState } from './editor-state.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { thumbnailHint } from './thumbnail-hint.ts'
import type { OpenEditor } from './use-editor.ts'

const words = publishText

export function ThumbnailRow({ editor, state }: OpenEditor) {
  const input = useRef<HTMLInputElement>(null)
  const { thumbnail } = state
  return (
    <div className="border-b border-line py-3">
      <div className="flex items-center gap-3">
        <ImageIcon aria-hidden size={22} className="shrink-0 text-soft" />
        <div className="min-w-0 flex-1">
          <p>{words.thumbnail}</p>
          <p className="text-sm text-soft">{valueOf(state)}</p>
          <p className="text-sm text-soft">
            {thumbnailHint({ type: state.draft.type, media: mediaOf(state) })}
          </p>
        </div>
        <Shown state={state} />
      </div>
      <div className="mt-2 flex flex-wrap gap-2 pl-8.5">
        <Button look="quiet" size="small" onClick={() => input.current?.click()}>
          {words.thumbnailChoose}
        </Button>
        {thumbnail && (
          <Button look="danger" size="small" onClick={() => void editor.remove(thumbnail.media.id)}>
            {state.frame ? words.thumbnailDrop : words.thumbnailRemove}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          accept={acceptedImages}
          aria-label={words.thumbnailChoose}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void editor.chooseThumbnail(file)
          }}
        />
      </div>
      {state.problems.thumbnail && (
        <div className="mt-2 pl-8.5">
          <FieldNotes id={undefined} error={words.thumbnailProblem} />
        </div>
      )}
    </div>
  )
}

function mediaOf({ items }: EditorState) {
  if (items.length === 0) return 'none'
  return items.some((it) => it.media.kind === 'video') ? 'video' : 'images'
}

function valueOf({ thumbnail, frame, isTakingFrame }: EditorState): string {
  if (thumbnail) return words.thumbnailChosen
  if (isTakingFrame) return words.thumbnailTaking
  return frame ? words.thumbnailFrame : words.thumbnailNone
}

function Shown({ state }: { state: EditorState }) {
  const item = state.thumbnail ?? state.frame
  if (!item) return state.isTakingFrame ? <Spinner label={words.thumbnailTaking} /> : null
  return (
    <span className="relative h-14 w-20 shrink-0 overflow-hidden rounded-field bg-sunk">
      {item.media.conversion.is === 'pending' && (
        <span className="grid size-full place-items-center text-soft">
          <Spinner label={mediaText.preparing} />
        </span>
      )}
      {/* Cards show the first frame of a thumbnail that moves. */}
      {item.preview !== null && (
        <ShownPicture src={item.preview.still ?? item.preview.src} alt={words.thumbnail} />
      )}
      {item.copied !== 'lost' && item.copied < 1 && (
        <span className="absolute inset-0 grid place-items-center bg-black/60 [&>*]:text-white">
          <ProgressRing label={words.copying(item.media.name)} value={item.copied * 100} size={28} />
        </span>
      )}
    </span>
  )
}
