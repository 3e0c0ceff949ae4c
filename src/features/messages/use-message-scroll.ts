// useMessageScroll: keeps what is read in its place while messages are added around it.
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { MessageAnchor } from '#src/lib/scroll-positions.ts'
import { useStable } from './use-stable.ts'

/** Distance from the newest message within which the person is at the end, CSS pixels. */
const END_PX = 48
/** Distance from an end of the loaded messages at which more are requested, CSS pixels. */
const AHEAD_PX = 1200

interface Ends {
  readonly onNearStart: () => void
  readonly onNearEnd: () => void
}

interface Place {
  /** Whether the person first sees the newest message: until the list is laid out, its offset does not say so. */
  readonly startsAtEnd: boolean
  /** Called with the first visible message when the position has changed; undefined at the end. */
  readonly onMoved: (anchor: MessageAnchor | undefined) => void
}

export interface MessageScroll {
  readonly box: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  readonly isAtEnd: boolean
  readonly toEnd: (behavior: ScrollBehavior) => void
  /** Shows a message in the middle; false when it is not in the document. */
  readonly show: (seq: number) => boolean
  /** Shows a message where it was. */
  readonly restore: (anchor: MessageAnchor) => void
}

/**
 * The box is laid out from its end (`flex-direction: column-reverse`): its scroll offset is 0 at the newest message and
 * negative above it, so that older messages change no offset. Messages added below would move those that are read.
 * @param rows what the box shows, in its order
 */
export function useMessageScroll(
  rows: readonly unknown[],
  ends: Ends,
  { startsAtEnd, onMoved }: Place,
): MessageScroll {
  const { box, content, isAtEnd, note, restore } = useAnchor(rows, startsAtEnd)
  useLook(box, rows, ends, () => onMoved(note()))

  const toEnd = useCallback(
    (behavior: ScrollBehavior) => {
      box.current?.scrollTo({ top: 0, behavior })
    },
    [box],
  )
  const show = useCallback(
    (seq: number) => {
      const row = box.current && rowOf(box.current, seq)
      row?.scrollIntoView({ block: 'center' })
      note()
      return row !== null && row !== undefined
    },
    [box, note],
  )
  return { box, content, isAtEnd, toEnd, show, restore }
}

/** The message that stays in its place: noted, and held while heights around it change. */
function useAnchor(rows: readonly unknown[], startsAtEnd: boolean) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const anchor = useRef<MessageAnchor>(undefined)
  const [isAtEnd, setAtEnd] = useState(startsAtEnd)

  const note = useCallback(() => {
    const element = box.current
    if (!element || isHidden(element)) return anchor.current
    const atEnd = element.scrollTop > -END_PX
    setAtEnd(atEnd)
    anchor.current = atEnd ? undefined : anchorOf(element)
    return anchor.current
  }, [])

  const hold = useCallback(() => {
    const element = box.current
    const before = anchor.current
    if (!element || !before || isHidden(element)) return
    const end = endOf(element, before.seq)
    if (end !== undefined && end !== before.end) element.scrollTop += end - before.end
  }, [])

  useLayoutEffect(() => {
    if (rows.length > 0) hold()
  }, [hold, rows])
  useEffect(() => {
    const element = content.current
    if (!element) return undefined
    // Heights change after the layout too: blocks come and go, pictures load.
    const watch = new ResizeObserver(hold)
    watch.observe(element)
    return () => watch.disconnect()
  }, [hold])
  const restore = useCallback(
    (before: MessageAnchor) => {
      anchor.current = before
      hold()
      note()
    },
    [hold, note],
  )
  return { box, content, isAtEnd, note, restore }
}

/** Notes the position and requests further pages: after each change of the rows, and while the box scrolls. */
function useLook(
  box: RefObject<HTMLDivElement | null>,
  rows: readonly unknown[],
  { onNearStart, onNearEnd }: Ends,
  note: () => void,
): void {
  const look = useStable(() => {
    if (!box.current || isHidden(box.current)) return
    note()
    const { scrollTop, scrollHeight, clientHeight } = box.current
    if (scrollHeight - clientHeight + scrollTop < AHEAD_PX) onNearStart()
    if (scrollTop > -AHEAD_PX) onNearEnd()
  })
  useEffect(() => {
    if (rows.length > 0) look()
  }, [look, rows])
  useEffect(() => {
    const element = box.current
    element?.addEventListener('scroll', look, { passive: true })
    return () => element?.removeEventListener('scroll', look)
  }, [box, look])
}

/** React hides a page while the next one loads; then nothing has a size. */
const isHidden = (box: HTMLElement) => box.clientHeight === 0

const rowOf = (box: HTMLElement, seq: number) => box.querySelector<HTMLElement>(`[data-seq="${seq}"]`)

function anchorOf(box: HTMLElement): MessageAnchor | undefined {
  const edge = box.getBoundingClientRect().top
  for (const row of box.querySelectorAll<HTMLElement>('[data-seq]')) {
    const { bottom } = row.getBoundingClientRect()
    if (bottom > edge) return { seq: Number(row.dataset['seq']), end: bottom - edge }
  }
  return undefined
}

function endOf(box: HTMLElement, seq: number): number | undefined {
  const row = rowOf(box, seq)
  return row ? row.getBoundingClientRect().bottom - box.getBoundingClientRect().top : undefined
}
