// RetryNote: a sentence for content that could not be read, with a retry button.
import { useState, type ReactNode } from 'react'
import { Button } from '#src/ui/button.tsx'

interface RetryNoteProps {
  children: ReactNode
  label: string
  busyLabel: string
  onRetry: () => Promise<unknown>
}

export function RetryNote({ children, label, busyLabel, onRetry }: RetryNoteProps) {
  const [busy, setBusy] = useState(false)
  async function press() {
    setBusy(true)
    await onRetry().finally(() => setBusy(false))
  }
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-6 text-center text-soft">
      <p>{children}</p>
      <Button look="quiet" size="small" busy={busy} busyLabel={busyLabel} onClick={() => void press()}>
        {label}
      </Button>
    </div>
  )
}
