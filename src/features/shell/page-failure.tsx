// PageFailure: why a page without an error page of its own is not shown.
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { getHealth } from '#contract/health.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { failureText } from './failure-text.ts'
import { LoadFailure } from './load-failure.tsx'

/** How Chromium, Firefox, Safari and Vite report a file of the app that could not be loaded. */
const missingFile =
  /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS)/

export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof ApiFailure) return <LoadFailure error={error} onRetry={() => router.invalidate()} />
  const isMissing = error instanceof Error && missingFile.test(error.message)
  return isMissing ? <MissingFile /> : <Unshown />
}

/** @returns why the server does not reply; undefined when it does */
const findFailure = (): Promise<ApiFailure | undefined> =>
  call(getHealth, {}).then(
    () => undefined,
    (error: unknown) => (error instanceof ApiFailure ? error : new ApiFailure('offline', 0)),
  )

/** A file of the page did not arrive. A browser may not load it again in the same document. */
function MissingFile() {
  /** Null while it is looked for. */
  const [failure, setFailure] = useState<ApiFailure | null | undefined>(null)
  useEffect(() => void findFailure().then(setFailure), [])
  async function retry() {
    const found = await findFailure()
    if (found) setFailure(found)
    else location.reload()
  }
  if (failure === null) return undefined
  return failure ? <LoadFailure error={failure} onRetry={retry} /> : <Unshown />
}

/** The server replies, and the page is not shown all the same. */
function Unshown() {
  return (
    <EmptyState
      drawing="letter"
      title={text.errorTitle}
      text={failureText.unshown}
      action={
        <Button look="quiet" onClick={() => location.reload()}>
          {text.retry}
        </Button>
      }
    />
  )
}
