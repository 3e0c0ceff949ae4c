// useTyping and useTypingReports: typing of the other person, and of the viewer.
import { useEffect, useMemo, useReducer } from 'react'
import type { ConversationView } from '#contract/messages/conversations.ts'
import { conversationChannel, TYPING } from '#contract/realtime/channels.ts'
import {
  createTypingThrottle,
  noTyping,
  type Typing,
  TYPING_SHOWN,
  typingAfter,
} from '#src/domain/messages/typing.ts'
import { listen, sendTyping } from '#src/domain/realtime/realtime.ts'

/** The channel on which both see each other type; undefined where the server would refuse it. */
const channelOf = ({ conversation_id: id, marks }: ConversationView): string | undefined =>
  id === null || marks === null ? undefined : conversationChannel(id)

export function useTyping(view: ConversationView): Typing {
  const channel = channelOf(view)
  const otherId = view.person.id
  const [typing, dispatch] = useReducer(typingAfter, view.last_seq, noTyping)
  useEffect(() => dispatch({ is: 'read', seq: view.last_seq }), [view.last_seq])
  useEffect(() => {
    if (channel === undefined) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const expire = () => dispatch({ is: 'expired' })
    const stops = [
      listen(channel, TYPING, ({ user_id: by }) => {
        // Own typing on another device comes on the same channel.
        if (by !== otherId) return
        dispatch({ is: 'typed' })
        clearTimeout(timer)
        timer = setTimeout(expire, TYPING_SHOWN)
      }),
      listen(channel, 'messages.changed', ({ seq }) => dispatch({ is: 'changed', seq })),
      () => clearTimeout(timer),
      expire,
    ]
    return () => stops.forEach((stop) => stop())
  }, [channel, otherId])
  return typing
}

/** Returns a function that reports a change of the text by the viewer, where the other person sees it. */
export function useTypingReports(view: ConversationView): (typed: string) => void {
  const channel = channelOf(view)
  const isReported = useMemo(() => createTypingThrottle(), [])
  return (typed) => {
    if (channel !== undefined && isReported(typed, Date.now())) sendTyping(channel)
  }
}
