// useReading: marks the messages of an open conversation as read.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ConversationView } from '#contract/messages/conversations.ts'
import type { MessageView } from '#contract/messages/messages.ts'
import { applyReading } from '#src/domain/messages/message-queries.ts'
import { mutate } from '#src/domain/mutations/mutations.ts'
import { noticesPort } from '#src/domain/notifications/notices-port.ts'
import { createStore, useStore } from '#src/lib/store.ts'

const visible = createStore(true, (set) => {
  const look = () => set(document.visibilityState === 'visible')
  look()
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
})

interface Reading {
  readonly view: ConversationView
  readonly messages: readonly MessageView[]
  /** Whether the newest message is on the screen. */
  readonly isAtEnd: boolean
}

/** Queues a reading mark when the newest message is on a visible page; it is sent when there is a network. */
export function useReading({ view, messages, isAtEnd }: Reading): void {
  const client = useQueryClient()
  const isVisible = useStore(visible)
  const marked = useRef(0)
  const { id, name } = view.person
  const newest = messages.findLast((it) => it.sender_id === id)?.seq ?? 0
  const isUnread = newest > Math.max(view.read_seq, view.cleared_seq)
  useEffect(() => {
    if (!isVisible || !isAtEnd || !isUnread || marked.current >= newest) return
    marked.current = newest
    noticesPort.readConversation(id)
    const params = { user_id: id }
    applyReading(client, id, newest)
    void mutate({ name: 'readConversation', params, body: { seq: newest } }, name)
  }, [client, isVisible, isAtEnd, isUnread, newest, id, name])
}
