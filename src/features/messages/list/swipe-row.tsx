// SwipeRow: a row with acts on both sides, which a swipe shows.
import type { ReactNode } from 'react'
import { cx } from '#src/ui/cx.ts'
import type { ConversationMark } from './conversation-marks.tsx'
import { ACT_WIDTH } from './swipe.ts'
import { useSwipe } from './use-swipe.ts'

interface SwipeRowProps {
  readonly className: string
  /** Acts from the left edge, shown by a swipe to the right. The same acts are in the row's menu. */
  readonly start: readonly ConversationMark[]
  readonly end: readonly ConversationMark[]
  readonly isSwiped: boolean
  readonly onSwiped: (is: boolean) => void
  readonly children: ReactNode
}

export function SwipeRow({ className, start, end, isSwiped, onSwiped, children }: SwipeRowProps) {
  const widths = { start: start.length * ACT_WIDTH, end: end.length * ACT_WIDTH }
  const { offset, isMoving, shows, close, row } = useSwipe({ widths, isOpen: isSwiped, onOpen: onSwiped })
  return (
    <div data-swiped={isSwiped || undefined} className="relative overflow-x-clip border-b border-line">
      {shows && <Acts side={shows} marks={shows === 'start' ? start : end} onDone={close} />}
      <div
        {...row}
        className={cx(className, 'touch-pan-y', !isMoving && 'transition-transform')}
        style={offset === 0 ? {} : { transform: `translateX(${offset}px)` }}
      >
        {children}
      </div>
    </div>
  )
}

interface ActsProps {
  readonly side: 'start' | 'end'
  readonly marks: readonly ConversationMark[]
  readonly onDone: () => void
}

function Acts({ side, marks, onDone }: ActsProps) {
  return (
    <div className={cx('absolute inset-y-0 flex', side === 'start' ? 'left-0' : 'right-0')}>
      {marks.map((it, i) => (
        <button
          key={it.label}
          type="button"
          aria-label={it.label}
          onClick={() => {
            onDone()
            it.onSelect()
          }}
          style={{ width: ACT_WIDTH }}
          className={cx(
            'flex flex-col items-center justify-center gap-1 text-xs',
            // The act at the edge is the main one of its side.
            i === (side === 'start' ? 0 : marks.length - 1) ? 'bg-ink text-paper' : 'bg-sunk text-ink',
          )}
        >
          {it.icon}
          <span aria-hidden>{it.short}</span>
        </button>
      ))}
    </div>
  )
}
