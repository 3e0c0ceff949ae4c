// MessageBlocks: the messages of a conversation; blocks far from the screen are empty boxes.
import { memo, useEffect, useRef, useState, type RefObject } from 'react'
import { dateTime, dayWithWeekday } from '#src/lib/format.ts'
import { When } from '#src/ui/text/when.tsx'
import { Bubble } from './bubble.tsx'
import type { MessageBlock, ShownMessage } from './shown-messages.ts'
import { messagesText as words } from './text.ts'
import type { BubbleContext } from './use-bubble-context.ts'

/** Blocks within this distance of the box are in the document. */
const NEAR = '1500px 0px'

interface MessageBlocksProps {
  readonly blocks: readonly MessageBlock[]
  readonly box: RefObject<HTMLDivElement | null>
  readonly context: BubbleContext
}

export function MessageBlocks({ blocks, box, context }: MessageBlocksProps) {
  return blocks.map((block) => <Block key={block.key} block={block} box={box} context={context} />)
}

interface BlockProps {
  readonly block: MessageBlock
  readonly box: RefObject<HTMLDivElement | null>
  readonly context: BubbleContext
}

function Block({ block, box, context }: BlockProps) {
  const outer = useRef<HTMLDivElement>(null)
  const height = useNearness(outer, box)
  return (
    <div ref={outer} style={height === undefined ? {} : { height }}>
      {height === undefined && (
        <ol>
          {block.messages.map((it) => (
            <Row key={it.message.id} shown={it} context={context} />
          ))}
        </ol>
      )}
    </div>
  )
}

/** The height of a block that is far from the screen; undefined for one that is shown. */
function useNearness(
  outer: RefObject<HTMLDivElement | null>,
  box: RefObject<HTMLDivElement | null>,
): number | undefined {
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    const element = outer.current
    if (!element) return undefined
    const watch = new IntersectionObserver(
      ([entry]) => {
        // While the page is hidden, blocks have no size.
        if (!entry || entry.boundingClientRect.width === 0) return
        // The block with the keyboard focus stays.
        const isShown = entry.isIntersecting || element.contains(document.activeElement)
        setHeight((before) => (isShown ? undefined : (before ?? entry.boundingClientRect.height)))
      },
      { root: box.current, rootMargin: NEAR },
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [outer, box])
  return height
}

interface RowProps {
  readonly shown: ShownMessage
  readonly context: BubbleContext
}

const Row = memo(function Row({ shown, context }: RowProps) {
  const { message, startsDay, isFirstUnread } = shown
  return (
    <li data-seq={message.seq} className={shown.startsGroup ? 'pt-3' : 'pt-0.5'}>
      {startsDay && (
        <p className="py-2 text-center text-xs text-soft">
          <When
            at={message.sent_at}
            format={(at, now) => dayWithWeekday(Date.parse(at), now)}
            whole={dateTime(Date.parse(message.sent_at))}
          />
        </p>
      )}
      {isFirstUnread && (
        <p className="flex items-center gap-3 py-2 text-xs font-semibold text-seal-text before:h-px before:flex-1 before:bg-seal after:h-px after:flex-1 after:bg-seal">
          {words.unreadLine}
        </p>
      )}
      <Bubble shown={shown} context={context} />
    </li>
  )
}, isSameRow)

/** Rows are computed anew with each message: equal ones are not drawn again. */
function isSameRow(a: RowProps, b: RowProps): boolean {
  const [before, next] = [a.shown, b.shown]
  return (
    a.context === b.context &&
    before.message === next.message &&
    before.startsDay === next.startsDay &&
    before.startsGroup === next.startsGroup &&
    before.isFirstUnread === next.isFirstUnread &&
    before.state === next.state
  )
}
