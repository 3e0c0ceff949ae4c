// BlockedNote and MutedNote: replace or precede the posts of a hidden person.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { requestMessageReport } from '#src/domain/people/moderation-dialog.ts'
import { setBlocked, setMuted } from '#src/domain/people/relations.ts'
import { text } from '#src/domain/text/text.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { Banner } from '#src/ui/states/banner.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { showFailure } from './profiles.ts'

interface NoteProps {
  person: { id: string; name: string }
}

function useUndo(undo: () => Promise<void>, done: string) {
  const [busy, setBusy] = useState(false)
  async function press() {
    setBusy(true)
    try {
      await undo()
      toast(done, 'success')
    } catch (failure) {
      showFailure(failure)
    } finally {
      setBusy(false)
    }
  }
  return { busy, busyLabel: text.working, onClick: () => void press() }
}

export function BlockedNote({ person }: NoteProps) {
  const client = useQueryClient()
  const button = useUndo(() => setBlocked(client, person.id, false), words.unblocked(person.name))
  return (
    <EmptyState
      drawing="letter"
      title={words.blockedTitle}
      text={words.blockedText}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button look="quiet" {...button}>
            {words.unblock}
          </Button>
          <Button look="quiet" onClick={() => requestMessageReport(person)}>
            {words.reportMessages}
          </Button>
        </div>
      }
    />
  )
}

export function MutedNote({ person }: NoteProps) {
  const client = useQueryClient()
  const button = useUndo(() => setMuted(client, person.id, false), words.unmuted(person.name))
  return (
    <Banner
      action={
        <Button look="quiet" size="small" {...button}>
          {words.unmuteShort}
        </Button>
      }
    >
      {words.mutedHere}
    </Banner>
  )
}
