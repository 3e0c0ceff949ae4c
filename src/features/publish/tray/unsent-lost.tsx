// UnsentLost: says that posts on their way went with the device's storage. Nothing to see while none did.
import { useEffect, useState } from 'react'
import { onChange } from '#device/database/changes.ts'
import { onDatabaseLost } from '#device/database/database-state.ts'
import { publishText } from '#src/features/publish/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { type Lost, lostSince, readNote, writeNote } from '#src/domain/drafts/unsent-note.ts'

const words = publishText
const nothing: Lost = { ids: [], count: 0 }

export function UnsentLost({ ownerId }: { ownerId: string }) {
  const [lost, setLost] = useState<Lost>(nothing)
  useEffect(() => {
    let over = false
    let turn: Promise<void> = Promise.resolve()
    // One after the other, so that an older answer never overwrites the note of a newer one.
    const look = () => {
      turn = turn
        .then(async () => {
          const found = await lostSince(document, ownerId, Date.now())
          if (!over) setLost(found)
        })
        .catch((error: unknown) => console.error(error))
    }
    look()
    const deaf = onChange((change) => change.store === 'jobs' && look())
    const stopLoss = onDatabaseLost(look)
    document.addEventListener('visibilitychange', look)
    return () => {
      over = true
      deaf()
      stopLoss()
      document.removeEventListener('visibilitychange', look)
    }
  }, [ownerId])
  function read() {
    const noted = readNote(document, ownerId)
    writeNote(
      document,
      ownerId,
      noted.filter((id) => !lost.ids.includes(id)),
      Date.now(),
    )
    setLost(nothing)
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
