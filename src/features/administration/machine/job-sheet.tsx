// JobSheet: tries failed jobs once more, or deletes them.
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import type { Which } from './machine.ts'
import { machineText } from './text.ts'

interface JobSheetProps {
  which: Which
  /** The act that runs. */
  busy: string | undefined
  onClose: () => void
  onRetry: () => void
  onDrop: () => void
}

export function JobSheet({ which, busy, onClose, onRetry, onDrop }: JobSheetProps) {
  const words = machineText.jobs
  const isBusy = busy !== undefined
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !isBusy && onClose()}
      title={words.openOf(which.name)}
      description={which.is === 'one' ? words.one(which.name) : words.all(which.name, which.count)}
      closeLabel={text.close}
    >
      <div className="flex flex-col gap-3">
        <Button
          wide
          look="ink"
          busy={busy === 'retry'}
          busyLabel={text.working}
          disabled={isBusy}
          onClick={onRetry}
        >
          {words.retry}
        </Button>
        <Button
          wide
          look="danger"
          busy={busy === 'drop'}
          busyLabel={text.working}
          disabled={isBusy}
          onClick={onDrop}
        >
          {words.drop}
        </Button>
        <p className="text-sm text-soft">{words.dropHint}</p>
      </div>
    </Sheet>
  )
}
