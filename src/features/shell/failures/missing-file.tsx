// MissingFile: a page whose code did not arrive; Unshown: a page that fails otherwise.
import { useEffect, useEffectEvent, useState } from 'react'
import { getHealth } from '#contract/health.ts'
import { call } from '#src/domain/api/api.ts'
import { text } from '#src/domain/text/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { failureText } from './failure-text.ts'
import { offlineText } from './offline-text.ts'

/** How Chromium, Firefox, Safari and Vite report a file of the app that could not be loaded. */
const missing =
  /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS)/

export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && missing.test(error.message)

const reload = (): void => location.reload()

const serverReplies = (): Promise<boolean> =>
  call(getHealth, {}).then(
    () => true,
    () => false,
  )

/** The page is loaded anew once the server replies, since a browser may not load the file again in the same document. */
export function MissingFile() {
  const [state, setState] = useState<'looking' | 'away' | 'reached'>('looking')
  useEffect(() => void serverReplies().then((it) => setState(it ? 'reached' : 'away')), [])
  async function retry() {
    if (await serverReplies()) reload()
    else setState('away')
  }
  const back = useEffectEvent(() => void (state === 'away' && retry()))
  useEffect(() => {
    const listener = () => back()
    // The focus returns from the tab with a captive portal.
    for (const it of ['online', 'focus']) window.addEventListener(it, listener)
    return () => {
      for (const it of ['online', 'focus']) window.removeEventListener(it, listener)
    }
  }, [])
  if (state === 'looking') return undefined
  if (state === 'reached') return <Unshown />
  return (
    <EmptyState
      drawing="offline"
      title={offlineText.title}
      text={offlineText.notRead}
      action={<Retry onRetry={retry} />}
    />
  )
}

/** The server replies, and the page is not shown all the same. */
export function Unshown() {
  return (
    <EmptyState
      drawing="letter"
      title={text.errorTitle}
      text={failureText.unshown}
      action={<Retry onRetry={async () => reload()} />}
    />
  )
}

/** Without the shared button, which the first visit does not load. */
function Retry({ onRetry }: { onRetry: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  async function retry() {
    setBusy(true)
    await onRetry().finally(() => setBusy(false))
  }
  return (
    <button type="button" className={buttonClass('quiet')} disabled={busy} onClick={() => void retry()}>
      {busy ? text.loading : text.retry}
    </button>
  )
}
