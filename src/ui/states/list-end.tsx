// ListEnd: the button that reads further in a list, and the reason when that failed.
import { Button } from '#src/ui/button.tsx'

export interface ListEndProps {
  readonly label: string
  readonly busy: boolean
  /** Name of the button while it is busy. */
  readonly busyLabel: string
  /** Why the last attempt failed. */
  readonly failure: string | undefined
  readonly onMore: () => void
}

export function ListEnd({ label, busy, busyLabel, failure, onMore }: ListEndProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-6">
      {failure !== undefined && (
        <p role="alert" className="text-center text-soft">
          {failure}
        </p>
      )}
      <Button look="quiet" size="small" busy={busy} busyLabel={busyLabel} onClick={onMore}>
        {label}
      </Button>
    </div>
  )
}
