// PullToRefresh: refreshes a page that is pulled down at its top.
import { ArrowDown } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { cx } from '#src/ui/cx.ts'
import { Spinner } from './spinner.tsx'

/** Distance of the mark from which a release refreshes, CSS pixels. */
const THRESHOLD = 64
/** Distance of the mark for a distance of the finger. */
const markDistance = (pulled: number) => Math.min(THRESHOLD * 1.5, pulled * 0.45)
/** Shortest movement of the finger that counts as a pull, CSS pixels. */
const SLOP = 10

interface PullToRefreshProps {
  busyLabel: string
  onRefresh: () => Promise<void>
}

export function PullToRefresh({ busyLabel, onRefresh }: PullToRefreshProps) {
  const [distance, setDistance] = useState(0)
  const [busy, setBusy] = useState(false)
  async function refresh(): Promise<void> {
    if (busy) return
    setBusy(true)
    await onRefresh().finally(() => setBusy(false))
  }
  usePull(setDistance, () => void refresh())
  const shown = busy ? THRESHOLD : distance
  if (shown === 0) return null
  return (
    <div
      className="pointer-events-none relative z-10 flex h-0 justify-center"
      style={{ transform: `translateY(${shown - 52}px)` }}
    >
      <span className="grid size-11 place-items-center rounded-pill border border-line bg-raised text-ink">
        {busy ? (
          <Spinner label={busyLabel} />
        ) : (
          <ArrowDown
            aria-hidden
            size={20}
            className={cx('transition-[rotate]', distance >= THRESHOLD && 'rotate-180')}
          />
        )}
      </span>
    </div>
  )
}

interface Pull {
  x: number
  y: number
  is: 'begun' | 'pulling' | 'other'
}

/** Reports the distance of a pull, and its release beyond the threshold. */
function usePull(show: (way: number) => void, onRelease: () => void): void {
  const pull = useRef<Pull | undefined>(undefined)
  const way = useRef(0)
  const shown = useEffectEvent((next: number) => {
    way.current = next
    show(next)
  })
  const released = useEffectEvent(onRelease)
  useEffect(() => {
    function start({ touches }: TouchEvent): void {
      const [finger] = touches
      pull.current =
        finger && touches.length === 1 && window.scrollY <= 0
          ? { x: finger.clientX, y: finger.clientY, is: 'begun' }
          : undefined
    }
    function move({ touches }: TouchEvent): void {
      const [finger] = touches
      const it = pull.current
      if (!it || !finger) return
      const [dx, dy] = [finger.clientX - it.x, finger.clientY - it.y]
      if (it.is === 'begun' && Math.hypot(dx, dy) > SLOP) it.is = dy > Math.abs(dx) ? 'pulling' : 'other'
      if (it.is === 'pulling') shown(markDistance(Math.max(0, dy)))
    }
    function end({ type }: TouchEvent): void {
      const enough = type === 'touchend' && way.current >= THRESHOLD
      pull.current = undefined
      if (way.current > 0) shown(0)
      if (enough) released()
    }
    const quiet = { passive: true } as const
    window.addEventListener('touchstart', start, quiet)
    window.addEventListener('touchmove', move, quiet)
    window.addEventListener('touchend', end)
    window.addEventListener('touchcancel', end)
    return () => {
      window.removeEventListener('touchstart', start)
      window.removeEventListener('touchmove', move)
      window.removeEventListener('touchend', end)
      window.removeEventListener('touchcancel', end)
    }
  }, [])
}
