// ParkedPosts: whose posts and checks wait on this device for their sign-in, and deleting them. Nothing to see while none do.
import { Clock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { onChange } from '#device/changes.ts'
import { discardParked, listParked, type Parked } from '#device/purge.ts'
import { parkedText as words } from '#src/lib/text-devices.ts'
import { text } from '#src/lib/text.ts'
import { writeNote } from '#src/lib/unsent-note.ts'
import { AlertDialog } from '#src/ui/alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/toast.ts'

const nothing = { posts: 0, checks: 0 }

export function ParkedPosts() {
  const parked = useParked()
  const [asking, setAsking] = useState<{ of: Parked; open: boolean }>()
  const close = () => setAsking((it) => it && { ...it, open: false })
  async function discard({ ownerId, unsent }: Parked) {
    close()
    try {
      await discardParked(ownerId)
      writeNote(document, ownerId, [], Date.now())
      toast(words.done(unsent))
    } catch (error) {
      console.error(error)
      toast(words.failed, 'error')
    }
  }
  return (
    <>
      {parked.length > 0 && (
        <ul aria-label={words.label} className="mb-5 flex flex-col gap-2">
          {parked.map((it) => (
            <li key={it.ownerId} className="flex items-center gap-3 rounded-field bg-sunk py-2 pr-1 pl-3">
              <Clock aria-hidden size={18} className="shrink-0 text-soft" />
              <p className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
                {words.line(it.name, it.unsent)}
              </p>
              <Button
                look="danger"
                size="small"
                aria-label={words.discardOf(it.name, it.unsent)}
                onClick={() => setAsking({ of: it, open: true })}
              >
                {words.discard}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <AlertDialog
        open={asking?.open === true}
        onOpenChange={(open) => !open && close()}
        title={words.title(asking?.of.unsent ?? nothing)}
        description={asking && words.text(asking.of.unsent)}
        cancel={text.cancel}
        act={{ label: words.act, danger: true, onSelect: () => asking && void discard(asking.of) }}
      />
    </>
  )
}

function useParked(): Parked[] {
  const [parked, setParked] = useState<Parked[]>([])
  useEffect(() => {
    let over = false
    const look = () =>
      void listParked().then(
        (found) => over || setParked(found),
        (error: unknown) => console.error(error),
      )
    look()
    const deaf = onChange((change) => (change.store === 'jobs' || change.store === 'session') && look())
    return () => {
      over = true
      deaf()
    }
  }, [])
  return parked
}
