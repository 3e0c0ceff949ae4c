// Failed: shown when a form of the account cannot be opened, with a retry button.
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'

export function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <div className="grid flex-1 place-items-center">
      <LoadFailure error={error} onRetry={() => router.invalidate()} />
    </div>
  )
}
