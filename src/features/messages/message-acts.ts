// Calls about messages and conversations; failures are reported by a toast.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  acceptRequest,
  changeConversation,
  clearConversation,
  type ConversationView,
  declineRequest,
  readConversation,
} from '#contract/messages/conversations.ts'
import {
  hideMessage,
  type MessageView,
  type Reaction,
  reactToMessage,
  removeReaction,
  unsendMessage,
} from '#contract/messages/messages.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import {
  applyChanges,
  applyClearing,
  applyConversation,
  applyMessage,
  rereadLists,
} from '#src/domain/messages/message-queries.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { messagesText as words } from './text.ts'

function showFailure(error: unknown): void {
  if (!(error instanceof ApiFailure)) throw error
  toast(`${words.notDone}${errorText[error.code]}`, 'error')
}

/** Changes of the messages with one person. */
export function useMessageActs(userId: string) {
  const client = useQueryClient()
  const apply = async (request: Promise<MessageView>) => {
    try {
      applyMessage(client, userId, await request)
    } catch (error) {
      showFailure(error)
    }
  }
  const params = (message: MessageView) => ({ params: { message_id: message.id } })
  return {
    /** Sets the viewer's reaction; undefined removes it. */
    react: (message: MessageView, it: Reaction | undefined) =>
      apply(
        it === undefined
          ? call(removeReaction, params(message))
          : call(reactToMessage, { ...params(message), body: { reaction: it } }),
      ),
    async unsend(message: MessageView) {
      await apply(call(unsendMessage, params(message)))
      rereadLists(client)
    },
    async hide(message: MessageView) {
      try {
        await call(hideMessage, params(message))
        applyChanges(client, userId, { messages: [], deleted: [message.id] })
        rereadLists(client)
      } catch (error) {
        showFailure(error)
      }
    },
  }
}

type Marks = Partial<Pick<ConversationView, 'pinned' | 'muted' | 'archived'>>

/** Changes of a conversation as a whole. Each returns whether it was done. */
export function useConversationActs(userId: string) {
  const client = useQueryClient()
  const params = { params: { user_id: userId } }
  return {
    change: (marks: Marks) =>
      applyView(client, userId, call(changeConversation, { ...params, body: marks }), (code) =>
        code === 'conflict' ? words.tooManyPins : undefined,
      ),
    /** Marks as read up to a message. */
    read: (seq: number) => applyView(client, userId, call(readConversation, { ...params, body: { seq } })),
    accept: () => applyView(client, userId, call(acceptRequest, params)),
    decline: () => applyView(client, userId, call(declineRequest, params)),
    async clear() {
      const view = await applyView(client, userId, call(clearConversation, params))
      if (view) applyClearing(client, userId, view.cleared_seq)
      return view
    },
  }
}

async function applyView(
  client: QueryClient,
  userId: string,
  request: Promise<ConversationView>,
  sentenceOf: (code: ApiFailure['code']) => string | undefined = () => undefined,
): Promise<ConversationView | undefined> {
  try {
    const view = await request
    applyConversation(client, userId, view)
    rereadLists(client)
    return view
  } catch (error) {
    const sentence = error instanceof ApiFailure ? sentenceOf(error.code) : undefined
    if (sentence === undefined) showFailure(error)
    else toast(sentence, 'error')
    return undefined
  }
}
