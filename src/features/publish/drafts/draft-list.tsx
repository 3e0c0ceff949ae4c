// DraftList: this person's drafts, to open, create or discard.
import { FilePen, Film, Image as ImageIcon, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { readWhole } from '#device/files/chunks.ts'
import { discardDraft } from '#device/drafts/drafts.ts'
import type { Media } from '#device/database/schema.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { draftsText } from '#src/features/publish/text.ts'
import { text } from '#src/domain/text/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { When } from '#src/ui/text/when.tsx'
import type { DraftListProps } from './draft-list-button.tsx'
import type { PickedPreview } from '#src/domain/media/prepare/picture.ts'
import { useStill } from '#src/domain/media/motion.ts'
import { useDrafts, type DraftSummary } from './drafts.ts'

const words = draftsText

interface Props extends DraftListProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function DraftList({ ownerId, shownId, onOpen, onBegin, open, onOpenChange }: Props) {
  const drafts = useDrafts(ownerId)
  const [chosen, setChosen] = useState<DraftSummary>()
  async function discard(draft: DraftSummary) {
    setChosen(undefined)
    try {
      // The editor opens another draft first, so that it never shows a deleted one.
      if (draft.id === shownId) onBegin()
      await discardDraft(draft.id, ownerId)
      toast(words.discarded)
    } catch (error) {
      console.error(error)
      toast(words.notDiscarded, 'error')
    }
  }
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      closeLabel={text.close}
      footer={
        <Button
          look="ink"
          wide
          onClick={() => {
            onOpenChange(false)
            onBegin()
          }}
        >
          {words.begin}
        </Button>
      }
    >
      {drafts?.length === 0 && <EmptyState drawing="letter" title={words.none} text={words.noneHint} />}
      <ul>
        {drafts?.map((draft) => (
          <Row
            key={draft.id}
            draft={draft}
            shown={draft.id === shownId}
            onOpen={() => {
              onOpenChange(false)
              if (draft.id !== shownId) onOpen(draft)
            }}
            onDiscard={() => setChosen(draft)}
          />
        ))}
      </ul>
      <AlertDialog
        open={chosen !== undefined}
        onOpenChange={(next) => !next && setChosen(undefined)}
        title={words.discardTitle}
        description={words.discardText}
        cancel={text.cancel}
        action={{ label: words.discardAct, danger: true, onSelect: () => chosen && void discard(chosen) }}
      />
    </Sheet>
  )
}

interface RowProps {
  draft: DraftSummary
  shown: boolean
  onOpen: () => void
  onDiscard: () => void
}

function Row({ draft, shown, onOpen, onDiscard }: RowProps) {
  const title = draft.title || words.untitled
  return (
    <li className="flex items-center border-t border-line first:border-t-0">
      <button
        type="button"
        onClick={onOpen}
        aria-current={shown || undefined}
        className="flex min-h-18 min-w-0 flex-1 items-center gap-3 py-2 text-left hover:bg-sunk focus-visible:-outline-offset-2"
      >
        <Picture key={draft.picture?.id} draft={draft} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold">{title}</span>
          <span className="block text-sm text-soft">
            <When
              at={new Date(draft.updatedAt).toISOString()}
              format={(at, now) => relative(Date.parse(at), now)}
              whole={dateTime(draft.updatedAt)}
            />
            {draft.files > 0 && `・${words.files[draft.kind](draft.files)}`}
            {shown && `・${words.shown}`}
          </span>
          {draft.unconverted && <span className="block text-sm text-seal-text">{words.unconverted}</span>}
          {draft.incomplete && <span className="block text-sm text-seal-text">{words.incomplete}</span>}
        </span>
      </button>
      <IconButton label={words.discard(title)} icon={<Trash2 size={20} />} onClick={onDiscard} />
    </li>
  )
}

function Picture({ draft }: { draft: DraftSummary }) {
  const preview = usePicture(draft.picture)
  const still = useStill()({ id: draft.picture?.id ?? '', still: preview?.still })
  const [broken, setBroken] = useState(false)
  const Icon = draft.kind === 'video' ? Film : draft.kind === 'images' ? ImageIcon : FilePen
  return (
    <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-field bg-sunk text-soft">
      {preview && !broken ? (
        <img
          src={still ?? preview.src}
          alt=""
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      ) : (
        <Icon aria-hidden size={22} />
      )}
    </span>
  )
}

/** The preview of a picture on this device, while it is shown. */
function usePicture(media: Media | undefined): PickedPreview | undefined {
  const [preview, setPreview] = useState<PickedPreview>()
  const id = media?.id
  useEffect(() => {
    let made: PickedPreview | undefined
    let isUnmounted = false
    if (!media) return undefined
    async function show(row: Media) {
      const blob = await readWhole(row)
      if (isUnmounted || !blob) return
      const { previewOf } = await import('#src/domain/media/prepare/picture.ts')
      made = await previewOf(blob)
      if (isUnmounted) made.release()
      else setPreview(made)
    }
    void show(media).catch((error: unknown) => console.error(error))
    return () => {
      isUnmounted = true
      made?.release()
    }
    // Another row object with the same id is the same picture.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id])
  return preview
}
