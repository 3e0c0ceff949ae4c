// Editor: the text, the media and the settings of a draft.
import { publishText } from '#src/features/publish/text.ts'
import { mediaText } from '#src/domain/media/text.ts'
import { MessageCircleOff, Scaling, UserRoundCheck } from 'lucide-react'
import { useState, type ClipboardEvent, type DragEvent } from 'react'
import { MAX_CONTENT } from '#contract/limits.ts'
import { FILM_DECLARATION } from '#contract/posts/film-declaration.ts'
import { declaredVersion } from '#device/drafts/declared-film.ts'
import { FilmDeclaration, filmDeclarationText } from '#src/domain/posts/film-declaration.tsx'
import { cx } from '#src/ui/cx.ts'
import { Check } from '#src/ui/fields/check.tsx'
import { Switch } from '#src/ui/fields/switch.tsx'
import { AudienceRow } from './audience-row.tsx'
import { ContentField } from './content-field.tsx'
import { DraftNotices } from './draft-notices.tsx'
import { OpenTextsFields } from './open-texts-fields.tsx'
import { PreuploadRow } from './preupload-row.tsx'
import { MediaStrip } from '#src/features/publish/files/media-strip.tsx'
import { needsDeclaration } from './rules.ts'
import { ThumbnailRow } from './thumbnail-row.tsx'
import type { OpenEditor } from './use-editor.ts'

const words = publishText

export function Editor({ editor, state }: OpenEditor) {
  const { draft } = state
  const drop = useDrop((files) => void editor.add(files))
  const ready = state.items.filter((it) => it.media.conversion.is === 'ready').map((it) => it.media.id)
  const hasVideo = state.items.some((it) => it.media.kind === 'video')
  return (
    <div
      {...drop.handlers}
      onPaste={(event: ClipboardEvent) => {
        const files = [...event.clipboardData.files]
        if (files.length === 0) return
        event.preventDefault()
        void editor.add(files)
      }}
      className="relative flex min-h-full flex-col pb-8"
    >
      <DraftNotices editor={editor} state={state} />
      <ContentField
        value={draft.content}
        max={MAX_CONTENT}
        problem={state.problems.content}
        unsaved={state.unsaved}
        stored={draft.updatedAt > draft.createdAt && !state.discarded}
        onChange={(content) => editor.change({ content })}
      />
      <MediaStrip editor={editor} state={state} />
      <div className="mx-4 mt-4 border-t border-line rail:mx-6">
        <AudienceRow draft={draft} problems={state.problems} onChange={(it) => editor.change(it)} />
        {draft.type !== 1 && <OpenTextsFields texts={draft} onChange={(it) => editor.change(it)} />}
        {(hasVideo || state.thumbnail !== null || draft.type !== 1) && (
          <ThumbnailRow editor={editor} state={state} />
        )}
        <div className="border-b border-line">
          <Switch
            icon={<UserRoundCheck aria-hidden size={22} />}
            label={words.age}
            hint={words.ageHint}
            checked={draft.isAgeLimited}
            onChange={(isAgeLimited) => editor.change({ isAgeLimited })}
          />
        </div>
        <DeclarationRow editor={editor} state={state} />
        <CommentsRow closed={draft.commentsClosed} onChange={(it) => editor.change({ commentsClosed: it })} />
        {draft.protocol === 'tus' && <PreuploadRow draft={draft} ready={ready} />}
        {!hasVideo && <SizeRow kept={draft.keepSize} onChange={(keepSize) => editor.change({ keepSize })} />}
      </div>
      <DropZone shown={drop.isOver} />
    </div>
  )
}

/** The declaration about an age-limited video that is sold; about another video it is made again. */
function DeclarationRow({ editor, state: { draft, items, problems } }: OpenEditor) {
  const video = items.find((it) => it.media.kind === 'video')?.media
  if (!video || !needsDeclaration(draft, [video])) return null
  return (
    <div className="border-b border-line">
      <FilmDeclaration>
        <Check
          label={filmDeclarationText.check}
          checked={declaredVersion(draft, video) === FILM_DECLARATION}
          error={problems.declaration && filmDeclarationText.required}
          onChange={(isChecked) =>
            editor.change({
              declaredFilm: isChecked ? { mediaId: video.id, version: FILM_DECLARATION } : null,
            })
          }
        />
      </FilmDeclaration>
    </div>
  )
}

interface CommentsRowProps {
  closed: boolean
  onChange: (closed: boolean) => void
}

function CommentsRow({ closed, onChange }: CommentsRowProps) {
  return (
    <div className="border-b border-line">
      <Switch
        icon={<MessageCircleOff aria-hidden size={22} />}
        label={words.commentsClosed}
        hint={words.commentsClosedHint}
        checked={closed}
        onChange={onChange}
      />
    </div>
  )
}

function SizeRow({ kept, onChange }: { kept: boolean; onChange: (kept: boolean) => void }) {
  return (
    <div className="border-b border-line">
      <Switch
        icon={<Scaling aria-hidden size={22} />}
        label={mediaText.keepSize}
        hint={mediaText.keepSizeHint}
        checked={kept}
        onChange={onChange}
      />
    </div>
  )
}

/** Covers the page while files are dragged over it. */
function DropZone({ shown }: { shown: boolean }) {
  return (
    <div
      aria-hidden
      className={cx(
        'pointer-events-none absolute inset-2 grid place-items-center rounded-media border-2 border-dashed border-ink bg-paper/90 text-lg font-semibold',
        !shown && 'hidden',
      )}
    >
      {words.dropHere}
    </div>
  )
}

/** Handlers for files that are dragged over the page. */
function useDrop(onFiles: (files: File[]) => void) {
  const [over, setOver] = useState(false)
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    isOver: over,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave(event: DragEvent<HTMLElement>) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      },
      onDrop(event: DragEvent) {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
