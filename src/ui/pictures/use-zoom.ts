// useZoom: the view of a zoomed picture, changed by pointers, wheel and keys.
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import {
  fitted,
  limited,
  panned,
  pinched,
  type Point,
  type Size,
  type Stage,
  stepped,
  turned,
  type View,
  wheeled,
  zoomed,
} from './zoom.ts'

/** How far an arrow key pans, CSS pixels. */
const STEP = 48
/** The zoom of a double click. */
const CLOSE = 3

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: STEP, y: 0 },
  ArrowRight: { x: -STEP, y: 0 },
  ArrowUp: { x: 0, y: STEP },
  ArrowDown: { x: 0, y: -STEP },
}

export interface Zooming {
  /** The view as it is shown; undefined until the size of the picture is known. */
  readonly view: View | undefined
  readonly stage: Stage | undefined
  readonly act: Readonly<Record<'in' | 'out' | 'fit' | 'turn', () => void>>
  readonly handlers: ReturnType<typeof usePointers> & {
    readonly onKeyDown: (event: KeyboardEvent) => void
    readonly onDoubleClick: (event: { clientX: number; clientY: number }) => void
  }
}

/**
 * @param place the frame of the picture
 * @param picture its own size, CSS pixels
 */
export function useZoom(place: RefObject<HTMLElement | null>, picture: Size | undefined): Zooming {
  const frame = useFrameSize(place)
  const [state, setState] = useState(fitted)
  const stage = picture && frame && { frame, picture }
  const change = (next: (view: View, on: Stage) => View) => {
    if (stage) setState((it) => next(limited(it, stage), stage))
  }
  /** Where an event is, from the centre of the frame. */
  const at = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = place.current?.getBoundingClientRect()
    if (!box) return { x: 0, y: 0 }
    return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 }
  }
  const act = {
    in: () => change((view, on) => zoomed(view, stepped(view.zoom, 'in'), on)),
    out: () => change((view, on) => zoomed(view, stepped(view.zoom, 'out'), on)),
    fit: () => change(({ turn }) => ({ ...fitted, turn })),
    turn: () => change(turned),
  }
  const keys: Readonly<Record<string, () => void>> = {
    '+': act.in,
    '=': act.in,
    ';': act.in,
    '-': act.out,
    '0': act.fit,
    r: act.turn,
  }
  useWheel(place, (event) =>
    change((view, on) => zoomed(view, wheeled(view.zoom, event.deltaY), on, at(event))),
  )
  const pointers = usePointers(at, change)
  return {
    view: stage && limited(state, stage),
    stage,
    act,
    handlers: {
      ...pointers,
      onKeyDown(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
        const arrow = arrows[event.key]
        // Arrows scroll the page while the whole picture is shown.
        if (arrow && state.zoom > 1) change((view, on) => panned(view, arrow, on))
        else if (keys[event.key]) keys[event.key]?.()
        else return
        event.preventDefault()
      },
      onDoubleClick: (event) => change((view, on) => zoomed(view, view.zoom > 1 ? 1 : CLOSE, on, at(event))),
    },
  }
}

/** Pointers that are down pan, and two of them zoom. */
function usePointers(
  at: (event: { clientX: number; clientY: number }) => Point,
  change: (next: (view: View, on: Stage) => View) => void,
) {
  const down = useRef(new Map<number, Point>())
  const lift = ({ pointerId }: PointerEvent) => void down.current.delete(pointerId)
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      down.current.set(event.pointerId, at(event))
    },
    onPointerMove(event: PointerEvent) {
      const from = down.current.get(event.pointerId)
      if (!from) return
      const to = at(event)
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1]
      down.current.set(event.pointerId, to)
      change((view, on) =>
        other
          ? pinched(view, [from, other], [to, other], on)
          : panned(view, { x: to.x - from.x, y: to.y - from.y }, on),
      )
    },
    onPointerUp: lift,
    onPointerCancel: lift,
  }
}

/** The wheel zooms with Ctrl, as a pinch of a touchpad does, and alone where the picture has the focus. */
function useWheel(place: RefObject<HTMLElement | null>, onWheel: (event: WheelEvent) => void): void {
  const turn = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && document.activeElement !== place.current) return
    event.preventDefault()
    onWheel(event)
  })
  useEffect(() => {
    const element = place.current
    const listener = (event: WheelEvent) => turn(event)
    // React's own listeners are passive: they cannot keep the page from scrolling.
    element?.addEventListener('wheel', listener, { passive: false })
    return () => element?.removeEventListener('wheel', listener)
  }, [place])
}

function useFrameSize(place: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>()
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [place])
  return size
}
