// Marks as read, and answers, what a notice is about, without opening a window.
import { sendMessage } from '#contract/messages/messages.ts'
import { endpointOf, inputOf } from '#contract/mutations/mutation-endpoints.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { newId } from '#contract/ids.ts'
import { countBadge } from '#contract/notifications/notifications.ts'
import type { NewMutation } from '#device/mutations/mutations.ts'
import type { Session } from '#device/database/schema.ts'
import * as v from 'valibot'
import type { ApiCall } from './api-call.ts'
import type { NoticePorts } from './windows.ts'

export interface ReadPorts {
  readonly callApi: ApiCall
  readonly session: () => Promise<Session | undefined>
  readonly badge: (unread: number) => Promise<void>
  /** Stores the mutation, which is sent when there is a network. */
  readonly store: (userId: string, mutation: NewMutation) => Promise<void>
}

const isSendable = (body: unknown) => sendMessage.body !== undefined && v.is(sendMessage.body, body)

/** Acts on notices, if their recipient is still signed in on this device. */
export function noticePorts({ callApi, session, badge, store }: ReadPorts): NoticePorts {
  return {
    async read({ notification_id: id, user_id: userId, conversation: other }) {
      const signedIn = await session()
      if ((!other && !id) || !userId || signedIn?.user.id !== userId) return
      const mutation: Mutation = other
        ? { name: 'readConversation', params: { user_id: other.user_id }, body: { seq: other.seq } }
        : { name: 'readNotifications', params: {}, body: { ids: [id] } }
      const { token } = signedIn
      if (!(await callApi(endpointOf(mutation), inputOf(mutation), token)))
        return store(userId, { mutation, about: other?.name ?? '' })
      const unread = await callApi(countBadge, {}, token)
      if (unread) await badge(unread.count)
    },
    async answer({ user_id: userId, conversation: other }, text) {
      const id = newId()
      const body = { id, content: text, reply_to: null }
      if (!other || !userId || !isSendable(body) || (await session())?.user.id !== userId) return false
      const mutation: Mutation = { name: 'sendMessage', params: { user_id: other.user_id }, body }
      await store(userId, { id, mutation, about: other.name })
      return true
    },
  }
}
