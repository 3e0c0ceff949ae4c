// Messages: the messages of a conversation, from the newest upwards.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { ConversationView } from '#contract/messages/conversations.ts'
import type { MessageView } from '#contract/messages/messages.ts'
import type { Between } from '#device/jobs/message.ts'
import { messagesIn } from '#src/domain/messages/message-pages.ts'
import { messagesQuery } from '#src/domain/messages/message-queries.ts'
import { loadEarlier, loadMore, type TwoWayList } from '#src/domain/queries/load-more.ts'
import { fetchMore } from '#src/domain/queries/query.ts'
import { type MessageAnchor, noteConversation } from '#src/lib/scroll-positions.ts'
import { useCovered } from '#src/ui/fields/composer.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { useOutgoingFiles } from './files/sending.ts'
import { mayWrite } from './may-write.ts'
import { MessageBlocks } from './message-blocks.tsx'
import type { MessageOutbox } from './message-outbox.ts'
import { Announcer, ToNewest } from './newest.tsx'
import { blocksOf, shownMessages } from './shown-messages.ts'
import { messagesText as words } from './text.ts'
import { useBubbleContext } from './use-bubble-context.ts'
import { type MessageScroll, useMessageScroll } from './use-message-scroll.ts'
import { useReading } from './use-reading.ts'
import { useStable } from './use-stable.ts'
import { type Waiting, WaitingBubbles } from './files/waiting-bubbles.tsx'

interface MessagesProps {
  readonly view: ConversationView
  readonly ownId: string
  /** The message in the address. */
  readonly around: number | undefined
  /** Where the conversation was left; undefined at its end, and after a jump. */
  readonly left: MessageAnchor | undefined
  /** Whether the person was led here from another place of the conversation. */
  readonly hasJumped: boolean
  /** Leads to a message; undefined: to the newest. */
  readonly onJump: (seq: number | undefined) => void
  readonly outbox: MessageOutbox
}

export function Messages({ view, ownId, around, left, hasJumped, outbox, onJump }: MessagesProps) {
  const { person } = view
  const list = useInfiniteQuery(messagesQuery(person.id, around))
  const messages = useMemo(() => messagesIn({ pages: list.data?.pages ?? [] }), [list.data])
  const waiting = useWaiting(outbox, { ownerId: ownId, recipientId: person.id }, messages)
  const ids = waiting.map((it) => it.id).join()
  const rows = useMemo(() => (ids === '' ? messages : [...messages, ids]), [messages, ids])
  const unreadAfter = useUnreadLine(view, messages, list.hasPreviousPage)
  // Who asked for the newest messages is not led to the first unread one.
  const first = around ?? (hasJumped ? undefined : firstAfter(messages, unreadAfter))
  const scroll = useMessageScroll(rows, useFurtherPages(list), {
    startsAtEnd: first === undefined && left === undefined,
    onMoved: (anchor) => noteConversation(person.id, anchor),
  })
  const { box, content, isAtEnd, toEnd, show } = scroll
  const isNewestShown = isAtEnd && !list.hasNextPage
  useReading({ view, messages, isAtEnd: isNewestShown })
  const context = useBubbleContext({ view, ownId, around, outbox, onJump, show })
  const blocks = useMemo(
    () => blocksOf(shownMessages(messages, { ownId, marks: view.marks, unreadAfter })),
    [messages, ownId, view.marks, unreadAfter],
  )
  useFirstPosition(scroll, left, messages, first)
  useEffect(() => {
    // An own message is shown wherever the person was reading.
    if (ids !== '') toEnd('instant')
  }, [ids, toEnd])
  const covered = useCovered()
  const lastSeq = Math.max(view.last_seq, messages.at(-1)?.seq ?? 0)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={box}
        aria-label={words.thread(person.name)}
        className="flex min-h-0 flex-1 flex-col-reverse overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <div
          ref={content}
          className="mt-auto w-full px-3 pb-3 rail:px-5"
          style={covered > 0 ? { paddingBottom: covered + 12 } : {}}
        >
          <LoadMore dense {...loadEarlier(list, words.earlier)} />
          {mayWrite(view) && messages.length === 0 && waiting.length === 0 && !list.hasPreviousPage && (
            <p className="px-4 py-16 text-center text-soft">{words.begin(person.name)}</p>
          )}
          <MessageBlocks blocks={blocks} box={box} context={context} />
          <LoadMore dense {...loadMore(list, words.later)} />
          {!list.hasNextPage && <WaitingBubbles waiting={waiting} outbox={outbox} />}
        </div>
      </section>
      <Announcer messages={messages} otherId={person.id} name={person.name} lastSeq={lastSeq} />
      {!isNewestShown && (
        <ToNewest
          lastSeq={lastSeq}
          onPress={() => (list.hasNextPage ? onJump(undefined) : toEnd('smooth'))}
        />
      )}
    </div>
  )
}

/** Messages that the server does not have yet, in the order in which they were written. */
function useWaiting(
  outbox: Pick<MessageOutbox, 'waiting'>,
  between: Between,
  messages: readonly MessageView[],
): readonly Waiting[] {
  const files = useOutgoingFiles(between)
  const all: readonly Waiting[] = [...outbox.waiting, ...files]
  // Their ids begin with the time.
  return all
    .filter((it) => !messages.some((message) => message.id === it.id))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Requests the pages at both ends; one that has failed is requested by its button. */
function useFurtherPages(list: TwoWayList) {
  return {
    onNearStart: useStable(() => {
      if (list.hasPreviousPage && !list.isFetchingPreviousPage && !list.isFetchPreviousPageError)
        void fetchMore(list, true)
    }),
    onNearEnd: useStable(() => {
      if (list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError) void fetchMore(list)
    }),
  }
}

/** The read position when the conversation was opened, if something was unread then and the messages reach back to it. */
function useUnreadLine(
  { read_seq: readSeq, unread }: ConversationView,
  messages: readonly MessageView[],
  hasBefore: boolean,
): number | undefined {
  const [line] = useState(unread > 0 ? readSeq : undefined)
  return !hasBefore || (messages[0]?.seq ?? 0) <= (line ?? 0) ? line : undefined
}

/** The first message after a read position. */
const firstAfter = (messages: readonly MessageView[], seq: number | undefined) =>
  messages.find((it) => seq !== undefined && it.seq > seq)?.seq

/** Once the messages are there, shows the message to which the person was led, or the place where they left. */
function useFirstPosition(
  { show, restore }: Pick<MessageScroll, 'show' | 'restore'>,
  left: MessageAnchor | undefined,
  messages: readonly MessageView[],
  seq: number | undefined,
): void {
  const isRead = messages.length > 0
  const place = useEffectEvent(() => {
    if (seq !== undefined) show(seq)
    else if (left) restore(left)
  })
  useEffect(() => {
    if (isRead) place()
  }, [isRead])
}
