// ListFailure: a list could not be read; what happened, and trying again.
import { useState } from 'react'
import { ApiFailure } from '#src/lib/api.ts'
import { errorText } from '#src/lib/text-errors.ts'
import { text } from '#src/lib/text.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'

export function ListFailure({ error, onRetry }: { error: unknown; onRetry: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false)
  const code = error instanceof ApiFailure ? error.code : 'internal'
  async function retry() {
    setBusy(true)
    await onRetry().finally(() => setBusy(false))
  }
  return (
    <EmptyState
      drawing={code === 'offline' ? 'offline' : 'letter'}
      title={text.errorTitle}
      text={errorText[code]}
      act={
        <Button look="quiet" busy={busy} busyLabel={text.loading} onClick={() => void retry()}>
          {text.retry}
        </Button>
      }
    />
  )
}
