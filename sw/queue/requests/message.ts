// Sends a message of uploads that are on the server.
import { sendMessage } from '#contract/messages/messages.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { type JobFile, urlOf } from '#device/jobs/file-row.ts'
import type { MessageJob } from '#device/jobs/job-rows.ts'
import type { MessageApi, Outcome, QueueStore } from '#sw/queue/ports.ts'
import { Ended } from './outcome.ts'
import { type ApiCaller, call } from './request.ts'

export interface MessageDeps extends ApiCaller {
  store: QueueStore
  /** Called with the server's reply, and with the message as a mutation: pages show both alike. */
  onReply?: (
    answered: Pick<MessageJob, 'id' | 'ownerId'> & { form: { mutation: Mutation } },
    reply: unknown,
  ) => void
}

/** The server reads and hashes every byte before it answers. */
const DEADLINE_MS = 120_000

/** Creates the API of messages with files. Its request is safe to repeat: the job's id is the message's. */
export function createMessageApi(deps: MessageDeps): Pick<MessageApi, 'submitMessage'> {
  return {
    async submitMessage({ id, ownerId, form, files }, signal) {
      const digests = await digestsOf(deps.store, files, signal)
      if (!Array.isArray(digests)) return digests
      const params = { user_id: form.recipientId }
      const media = files.map((it) => urlOf(it)?.split('/').at(-1) ?? it.id)
      const body = { id, content: form.content, media, digests, reply_to: form.replyTo }
      const input = { params, body, deadline: DEADLINE_MS }
      const end = await call(deps, ownerId, sendMessage, input, signal)
      if (end.is !== 'ok') return end
      const mutation: Mutation = { name: 'sendMessage', params, body }
      if (end.value.is === 'reply') deps.onReply?.({ id, ownerId, form: { mutation } }, end.value.json)
      return { is: 'ok', value: { id } }
    },
  }
}

/** The digests of the picked files in their order, or the outcome of a file whose bytes are not there. */
async function digestsOf(
  store: QueueStore,
  files: readonly JobFile[],
  signal: AbortSignal,
): Promise<string[] | Outcome<never>> {
  const digests: string[] = []
  try {
    for (const { id } of files) {
      const digest = await store.digest(id, signal)
      if (!digest) return { is: 'refused', code: 'bytes_missing' }
      digests.push(digest)
    }
    return digests
  } catch (error) {
    if (error instanceof Ended) return error.end
    throw error
  }
}
