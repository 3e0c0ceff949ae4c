// LoadFailure: why a page or list could not be read, with a retry button.
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiFailure, connectionCheck, isUnanswered } from '#src/domain/api/api.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { text } from '#src/domain/text/text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { failureText } from './failure-text.ts'
import { isMissingFile, MissingFile } from './missing-file.tsx'
import { offlineText } from './offline-text.ts'

interface LoadFailureProps {
  error: unknown
  onRetry: () => Promise<unknown>
}

/** Also the error page of most routes, whose code may be what did not arrive. */
export function LoadFailure(props: LoadFailureProps) {
  return isMissingFile(props.error) ? <MissingFile /> : <RefusedRead {...props} />
}

function RefusedRead({ error, onRetry }: LoadFailureProps) {
  const [busy, setBusy] = useState(false)
  const code = error instanceof ApiFailure ? error.code : 'internal'
  async function retry() {
    setBusy(true)
    await onRetry().finally(() => setBusy(false))
  }
  const away = code === 'offline'
  const back = useEffectEvent(() => void (isUnanswered(error) && !busy && retry()))
  useEffect(() => {
    const listener = () => back()
    // The focus returns from the tab with a captive portal.
    for (const it of ['online', 'focus']) window.addEventListener(it, listener)
    return () => {
      for (const it of ['online', 'focus']) window.removeEventListener(it, listener)
    }
  }, [])
  return (
    <EmptyState
      drawing={isUnanswered(error) ? 'offline' : 'letter'}
      title={away ? offlineText.title : text.errorTitle}
      text={away ? offlineText.notRead : errorText[code]}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button look="quiet" busy={busy} busyLabel={text.loading} onClick={() => void retry()}>
            {text.retry}
          </Button>
          {code === 'foreign' && (
            <a href={connectionCheck} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
              {text.checkConnection}
            </a>
          )}
          <RequestNumber error={error} />
        </div>
      }
    />
  )
}

/** The number by which the operator finds an error of the server in the log; other failures are of the reader's connection. */
function RequestNumber({ error }: { error: unknown }) {
  if (!(error instanceof ApiFailure) || error.status < 500 || !error.requestId) return undefined
  return (
    <p className="mt-2 w-full text-sm text-balance text-soft">
      {failureText.number}
      <code className="block break-all select-all">{error.requestId}</code>
    </p>
  )
}

/** Renders LoadFailure for a list. */
export const loadFailed = (error: Error | null, retry: () => Promise<unknown>) => (
  <LoadFailure error={error} onRetry={retry} />
)
