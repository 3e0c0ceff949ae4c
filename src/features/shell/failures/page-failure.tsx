// PageFailure: why a page without an error page of its own is not shown.
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { ApiFailure } from '#src/domain/api/api.ts'
import { isMissingFile, MissingFile, Unshown } from './missing-file.tsx'

/** Not a part of the first visit: it has a sentence for every code. */
const LoadFailure = lazy<ComponentType<{ error: unknown; onRetry: () => Promise<unknown> }>>(() =>
  import('./load-failure.tsx').then(
    (it) => ({ default: it.LoadFailure }),
    () => ({ default: MissingFile }),
  ),
)

export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof ApiFailure)
    return (
      <Suspense>
        <LoadFailure error={error} onRetry={() => router.invalidate()} />
      </Suspense>
    )
  return isMissingFile(error) ? <MissingFile /> : <Unshown />
}
