// LoadMore: the button for the next page of a list, with its failure.
import { Button } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'

export interface LoadMoreProps {
  /** Whether there is more; nothing is shown at the end. */
  readonly hasMore: boolean
  readonly label: string
  readonly busy: boolean
  /** Name of the button while it is busy. */
  readonly busyLabel: string
  /** Why the last attempt failed. */
  readonly failure: string | undefined
  readonly onMore: () => void
}

/**
 * @param dense used between rows, not below a page
 */
export function LoadMore(it: LoadMoreProps & { dense?: boolean }) {
  if (!it.hasMore) return null
  return (
    <div className={cx('flex flex-col items-center gap-3 px-4', it.dense ? 'py-3' : 'py-6')}>
      {it.failure !== undefined && (
        <p role="alert" className="text-center text-soft">
          {it.failure}
        </p>
      )}
      <Button look="quiet" size="small" busy={it.busy} busyLabel={it.busyLabel} onClick={it.onMore}>
        {it.label}
      </Button>
    </div>
  )
}
