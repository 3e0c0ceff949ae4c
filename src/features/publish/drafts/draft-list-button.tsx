// DraftListButton: opens the list of this person's drafts, from the editor's head.
import { Files } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Protocol } from '#device/jobs/job-rows.ts'
import { draftsText } from '#src/features/publish/text.ts'
import { IconButton } from '#src/ui/icon-button.tsx'

const DraftList = lazy(async () => ({ default: (await import('./draft-list.tsx')).DraftList }))

export interface DraftListProps {
  ownerId: string
  /** The draft the editor shows. */
  shownId: string | undefined
  onOpen: (draft: { id: string; protocol: Protocol }) => void
  onBegin: () => void
}

export function DraftListButton(props: DraftListProps) {
  const [open, setOpen] = useState(false)
  // Loaded at the first opening, mounted afterwards for the closing animation and the next time.
  const [mounted, setMounted] = useState(false)
  return (
    <>
      <IconButton
        label={draftsText.title}
        aria-haspopup="dialog"
        icon={<Files size={22} />}
        onClick={() => {
          setMounted(true)
          setOpen(true)
        }}
      />
      {mounted && (
        <Suspense>
          <DraftList {...props} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
