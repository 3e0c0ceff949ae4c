// Failed: what the pages of notices show when they could not be loaded.
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'

export function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
