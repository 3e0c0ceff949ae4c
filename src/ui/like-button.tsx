// LikeButton: the like toggle of a post or a comment, with its count.
import { Clock, Heart } from 'lucide-react'
import { cx } from './cx.ts'

interface LikeButtonProps {
  on: boolean
  /** Name of the button, with the count. */
  label: string
  title: string
  /** How many, as text; undefined for none. */
  count: string | undefined
  /** What the last press waits for, as text. */
  waits: string | undefined
  onPress: () => void
  /** Of the heart, px. */
  size: number
  /** Classes that the buttons beside it have too. */
  className: string
}

export function LikeButton({ on, label, title, count, waits, onPress, size, className }: LikeButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={label}
      title={title}
      onClick={onPress}
      className={cx(className, on ? 'text-seal-text' : 'text-soft hover:text-ink')}
    >
      <Heart aria-hidden size={size} fill={on ? 'currentColor' : 'none'} />
      {count !== undefined && <span aria-hidden>{count}</span>}
      {waits !== undefined && <Clock aria-label={waits} size={14} />}
    </button>
  )
}
