// UnsentLost: reports unsent posts that were lost with the device's storage.
import { useState } from 'react'
import { onDatabaseLost } from '#device/database/database-state.ts'
import { publishText } from '#src/features/publish/text.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { type Lost, lostSince, readNote, writeNote } from '#src/domain/drafts/unsent-note.ts'

const words = publishText
const nothing: Lost = { ids: [], count: 0 }

/** The last read. Reads run one after the other, since an older one must not write last. */
let lastRead: Promise<unknown> = Promise.resolve()

function readLost(ownerId: string): Promise<Lost> {
  const next = lastRead.then(() => lostSince(document, ownerId, Date.now()))
  lastRead = next.catch(() => undefined)
  return next
}

/** Calls back when the page's visibility changes or the database is lost. */
function onReturn(listener: () => void): () => void {
  const stop = onDatabaseLost(listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', listener)
  }
}

export function UnsentLost({ ownerId }: { ownerId: string }) {
  const found = useDeviceRead({
    key: ['lost', ownerId],
    read: () => readLost(ownerId),
    isAbout: ({ store }) => store === 'jobs',
    alsoOn: onReturn,
  })
  const [dismissed, setDismissed] = useState<Lost>()
  const lost = found === undefined || found === dismissed ? nothing : found
  function read() {
    const noted = readNote(document, ownerId)
    writeNote(
      document,
      ownerId,
      noted.filter((id) => !lost.ids.includes(id)),
      Date.now(),
    )
    setDismissed(found)
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
