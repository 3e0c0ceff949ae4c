// UnsentLost: says that posts on their way went with the device's storage. Nothing to see while none did.
import { useState } from 'react'
import { onDatabaseLost } from '#device/database/database-state.ts'
import { publishText } from '#src/features/publish/text.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { type Lost, lostSince, readNote, writeNote } from '#src/domain/drafts/unsent-note.ts'

const words = publishText
const nothing: Lost = { ids: [], count: 0 }

/** The last read that was begun: an older one must not overwrite the note of a newer one. */
let turn: Promise<unknown> = Promise.resolve()

function readLost(ownerId: string): Promise<Lost> {
  const next = turn.then(() => lostSince(document, ownerId, Date.now()))
  turn = next.catch(() => undefined)
  return next
}

/** The page was left or came back, or the browser took the database away. */
function onReturn(look: () => void): () => void {
  const stop = onDatabaseLost(look)
  document.addEventListener('visibilitychange', look)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', look)
  }
}

export function UnsentLost({ ownerId }: { ownerId: string }) {
  const found = useDeviceRead({
    key: ['lost', ownerId],
    read: () => readLost(ownerId),
    isAbout: ({ store }) => store === 'jobs',
    also: onReturn,
  })
  const [known, setKnown] = useState<Lost>()
  const lost = found === undefined || found === known ? nothing : found
  function read() {
    const noted = readNote(document, ownerId)
    writeNote(
      document,
      ownerId,
      noted.filter((id) => !lost.ids.includes(id)),
      Date.now(),
    )
    setKnown(found)
  }
  return (
    <AlertDialog
      open={lost.count > 0}
      onOpenChange={(open) => !open && read()}
      title={words.lostTitle}
      description={words.lostText(lost.count)}
      cancel={words.lostRead}
    />
  )
}
