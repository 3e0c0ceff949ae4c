// Skeleton: a placeholder of content that is being loaded.
import { cx } from '#src/ui/cx.ts'

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('block animate-breathe rounded-field bg-sunk', className)} />
}
