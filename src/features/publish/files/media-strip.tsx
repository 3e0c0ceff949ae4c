// MediaStrip: the post's images or video, to add, reorder and remove.
import { mediaText } from '#src/domain/media/text.ts'
import { publishText } from '#src/features/publish/text.ts'
import { FileX, X } from 'lucide-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { MAX_IMAGES } from '#contract/limits.ts'
import { megabytes, playingTime } from '#src/lib/format.ts'
import { cx } from '#src/ui/cx.ts'
import { FieldNotes } from '#src/ui/fields/field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { moved, shiftOf, useSortable } from '#src/ui/use-sortable.ts'
import type { EditorState } from '#src/features/publish/editor/editor-state.ts'
import type { Refused as RefusedFile } from './intake.ts'
import { MediaTile, TILE, GAP } from './media-tile.tsx'
import { PickTiles } from './pick-tiles.tsx'
import type { DraftProblems } from '#src/features/publish/editor/rules.ts'
import { Unconverted } from './unconverted.tsx'
import type { OpenEditor } from '#src/features/publish/editor/use-editor.ts'

const words = publishText

export function MediaStrip({ editor, state }: OpenEditor) {
  const row = useRef<HTMLUListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const ids = state.items.map((it) => it.media.id)
  useScrollToEnd(row, ids.length + state.preparing)
  const { drag, handlers } = useSortable(row, ids, move)
  const full = state.items.some((it) => it.media.kind === 'video') || ids.length >= MAX_IMAGES
  function move(from: number, to: number) {
    if (to < 0 || to >= ids.length || from === to) return
    editor.reorder(moved(ids, from, to))
    setAnnouncement(words.movedTo(to + 1, ids.length))
  }
  return (
    <section aria-label={words.media} className="mt-3">
      <ul
        ref={row}
        className={cx(
          'relative flex [scrollbar-width:thin] pointer-coarse:scroll-quiet gap-2 overflow-x-auto px-4 py-1 rail:px-6',
          drag && 'select-none',
        )}
      >
        {state.items.map((item, i) => (
          <MediaTile
            key={item.media.id}
            item={item}
            poster={state.frame?.preview?.src ?? null}
            index={i}
            count={ids.length}
            shift={drag ? (drag.id === item.media.id ? drag.by : shiftOf(i, drag) * (TILE + GAP)) : 0}
            isDragged={drag?.id === item.media.id}
            isShifting={drag !== undefined && drag.id !== item.media.id}
            handlers={handlers(item.media.id)}
            onMove={(to) => move(i, to)}
            onRemove={() => void editor.remove(item.media.id)}
            onDescribe={(alt) => void editor.describe(item.media.id, alt)}
          />
        ))}
        {state.missing.map(({ id, name = words.missingName }) => (
          <Missing key={id} name={name} onRemove={() => void editor.remove(id)} />
        ))}
        {Array.from({ length: state.preparing }, (_, i) => (
          <Preparing key={i} />
        ))}
        {!full && (
          <PickTiles
            first={ids.length === 0 && state.preparing === 0}
            video={ids.length === 0}
            onPick={(files) => void editor.add(files)}
          />
        )}
      </ul>
      <output className="sr-only">{announcement}</output>
      <StripNotes editor={editor} state={state} />
    </section>
  )
}

/** Messages about the post's files. */
function StripNotes({ editor, state }: OpenEditor) {
  return (
    <>
      <HeldByPage items={state.items} />
      <CutOff items={state.items} />
      <Stilled items={state.items} />
      <Refused refused={state.refused} />
      <Unconverted
        items={state.thumbnail ? [...state.items, state.thumbnail] : state.items}
        onAgain={(id) => void editor.convertAgain(id)}
        onSend={(id) => void editor.sendAsPicked(id)}
        onRemove={(id) => void editor.remove(id)}
      />
      <output className="block px-4 rail:px-6">
        {state.draft.submitWhenReady && <p className="mt-2 text-sm text-soft">{mediaText.waitsForPhotos}</p>}
      </output>
      {state.problems.restriction && (
        <div className="mt-2 px-4 rail:px-6">
          <FieldNotes id={undefined} error={state.problems.restriction} />
        </div>
      )}
      {state.problems.media && (
        <div className="mt-2 px-4 rail:px-6">
          <FieldNotes id={undefined} error={mediaSentence(state.problems.media, state)} />
        </div>
      )}
    </>
  )
}

/** Scrolls the row to its end when a file was added. */
function useScrollToEnd(row: RefObject<HTMLElement | null>, count: number): void {
  const before = useRef(count)
  useEffect(() => {
    const grown = count > before.current
    before.current = count
    if (!grown) return
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
    row.current?.scrollTo({ left: row.current.scrollWidth, behavior: isReduced ? 'auto' : 'smooth' })
  }, [row, count])
}

/** Shown for a picked file until it is in the draft. */
function Preparing() {
  return (
    <li className="grid size-28 shrink-0 place-items-center rounded-media border border-line bg-sunk text-soft">
      <Spinner label={mediaText.preparing} />
    </li>
  )
}

function mediaSentence(
  problem: NonNullable<DraftProblems['media']>,
  { missing }: Pick<EditorState, 'missing'>,
): string {
  if (problem !== 'missing') return words.mediaProblem[problem]
  return words.missing(missing.map(({ name = words.missingName }) => name))
}

/** A file of the draft that is missing on the device. */
function Missing({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <li className="relative grid size-28 shrink-0 place-content-center justify-items-center gap-1 rounded-media border border-line bg-sunk px-2 text-center text-xs text-soft">
      <FileX aria-hidden size={24} />
      <span className="line-clamp-2 [overflow-wrap:anywhere]">{name}</span>
      {words.lost}
      <IconButton
        look="over-small"
        label={words.remove(name)}
        icon={<X size={16} />}
        onClick={onRemove}
        className="absolute -top-1 -right-1"
      />
    </li>
  )
}

/** Files that this page holds, since the device has no room. */
function HeldByPage({ items }: Pick<EditorState, 'items'>) {
  return (
    <output className="block px-4 rail:px-6">
      {items.map(
        ({ media, heldByPage }) =>
          heldByPage && (
            <p key={media.id} className="mt-2 text-sm text-seal-text">
              {words.heldByPage(
                media.name,
                megabytes(heldByPage.needed),
                heldByPage.free === undefined ? undefined : megabytes(heldByPage.free),
              )}
            </p>
          ),
      )}
    </output>
  )
}

/** Videos that are not complete. */
export function CutOff({ items }: Pick<EditorState, 'items'>) {
  return (
    <output className="block px-4 rail:px-6">
      {items.map(
        ({ media, cut }) =>
          cut && (
            <p key={media.id} className="mt-2 text-sm text-seal-text">
              {words.cut(media.name, playingTime(cut.seconds), playingTime(cut.indexed))}
            </p>
          ),
      )}
    </output>
  )
}

/** Moving pictures of which the first frame is sent. */
function Stilled({ items }: Pick<EditorState, 'items'>) {
  return (
    <output className="block px-4 rail:px-6">
      {items.map(
        ({ media: { id, name, conversion } }) =>
          conversion.is === 'ready' &&
          conversion.stilled && (
            <p key={id} className="mt-2 text-sm text-seal-text">
              {mediaText.stilled(name)}
            </p>
          ),
      )}
    </output>
  )
}

function sentenceOf(it: RefusedFile): string {
  // Some of these sentences contain the file's name.
  if (it.why === 'restricted')
    return it.sentence.startsWith(it.name) ? it.sentence : `${it.name}：${it.sentence}`
  const room = it.room ? words.room(megabytes(it.room.needed), megabytes(it.room.free)) : ''
  return `${it.name}：${words.fileProblem[it.why]}${room}`
}

export function Refused({ refused }: Pick<EditorState, 'refused'>) {
  // Files of several folders may have one name; equal sentences are shown once.
  const sentences = new Set(refused.map(sentenceOf))
  return (
    <div role="alert" className="px-4 rail:px-6">
      {[...sentences].map((sentence) => (
        <div key={sentence} className="mt-2">
          <FieldNotes id={undefined} error={sentence} />
        </div>
      ))}
    </div>
  )
}
