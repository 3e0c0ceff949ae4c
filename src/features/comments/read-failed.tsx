// ReadFailed: why comments could not be read, with a retry button.
import { ApiFailure } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'

export function ReadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-6 text-center text-soft">
      <p>{errorText[error instanceof ApiFailure ? error.code : 'internal']}</p>
      <Button look="quiet" size="small" onClick={onRetry}>
        {text.retry}
      </Button>
    </div>
  )
}
