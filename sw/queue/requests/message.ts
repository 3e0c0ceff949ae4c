// Sends a message of uploads that are on the server.
import { sendMessage } from '#contract/messages/messages.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { urlOf } from '#device/jobs/file-row.ts'
import type { MessageJob } from '#device/jobs/job-rows.ts'
import type { MessageApi } from '#sw/queue/ports.ts'
import { type ApiCaller, call } from './request.ts'

export interface MessageDeps extends ApiCaller {
  /** Called with the server's reply, and with the message as a mutation: pages show both alike. */
  onReply?: (
    answered: Pick<MessageJob, 'id' | 'ownerId'> & { form: { mutation: Mutation } },
    reply: unknown,
  ) => void
}

/** The server reads the structure of every file before it answers. */
const DEADLINE_MS = 60_000

/** Creates the API of messages with files. Its request is safe to repeat: the job's id is the message's. */
export function createMessageApi(deps: MessageDeps): Pick<MessageApi, 'submitMessage'> {
  return {
    async submitMessage({ id, ownerId, form, files }, signal) {
      const params = { user_id: form.recipientId }
      const media = files.map((it) => urlOf(it)?.split('/').at(-1) ?? it.id)
      const body = { id, content: form.content, media, reply_to: form.replyTo }
      const input = { params, body, deadline: DEADLINE_MS }
      const end = await call(deps, ownerId, sendMessage, input, signal)
      if (end.is !== 'ok') return end
      const mutation: Mutation = { name: 'sendMessage', params, body }
      if (end.value.is === 'reply') deps.onReply?.({ id, ownerId, form: { mutation } }, end.value.json)
      return { is: 'ok', value: { id } }
    },
  }
}
