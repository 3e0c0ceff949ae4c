// Failed: a form of the account could not be opened; trying again is one press.
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'

export function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <div className="grid flex-1 place-items-center">
      <LoadFailure error={error} onRetry={() => router.invalidate()} />
    </div>
  )
}
