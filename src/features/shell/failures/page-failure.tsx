// PageFailure: why a page without an error page of its own is not shown.
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { getHealth } from '#contract/health.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { text } from '#src/domain/text/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { failureText } from './failure-text.ts'
import { offlineText } from './offline-text.ts'

/** Not a part of the first visit: it has a sentence for every code. */
const LoadFailure = lazy<ComponentType<{ error: unknown; onRetry: () => Promise<unknown> }>>(() =>
  import('./load-failure.tsx').then(
    (it) => ({ default: it.LoadFailure }),
    () => ({ default: MissingFile }),
  ),
)

/** How Chromium, Firefox, Safari and Vite report a file of the app that could not be loaded. */
const missingFile =
  /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS)/

export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof ApiFailure)
    return (
      <Suspense>
        <LoadFailure error={error} onRetry={() => router.invalidate()} />
      </Suspense>
    )
  const isMissing = error instanceof Error && missingFile.test(error.message)
  return isMissing ? <MissingFile /> : <Unshown onRetry={reload} />
}

const reload = (): void => location.reload()

const serverReplies = (): Promise<boolean> =>
  call(getHealth, {}).then(
    () => true,
    () => false,
  )

/** A file of the page did not arrive. The page is loaded anew, since a browser may not load the file again in the same document. */
function MissingFile() {
  /** Undefined while it is looked for. */
  const [isReached, setReached] = useState<boolean>()
  useEffect(() => void serverReplies().then(setReached), [])
  const retry = useEffectEvent(async () => {
    if (await serverReplies()) reload()
    else setReached(false)
  })
  useEffect(() => {
    const listener = () => void retry()
    // The focus returns from the tab with a captive portal.
    for (const it of ['online', 'focus']) window.addEventListener(it, listener)
    return () => {
      for (const it of ['online', 'focus']) window.removeEventListener(it, listener)
    }
  }, [])
  if (isReached === undefined) return undefined
  return <Unshown isOffline={!isReached} onRetry={() => void serverReplies().then((it) => it && reload())} />
}

function Unshown({ isOffline = false, onRetry }: { isOffline?: boolean; onRetry: () => void }) {
  return (
    <EmptyState
      drawing={isOffline ? 'offline' : 'letter'}
      title={isOffline ? offlineText.title : text.errorTitle}
      text={isOffline ? offlineText.notRead : failureText.unshown}
      action={
        <button type="button" className={buttonClass('quiet')} onClick={onRetry}>
          {text.retry}
        </button>
      }
    />
  )
}
