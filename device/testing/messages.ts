// Messages and pages of messages for tests.
import { newId } from '#contract/ids.ts'
import type { MessagePage, MessageView } from '#contract/messages/messages.ts'

const sender = newId()
const ids = new Map<number, string>()

/** A message of this place in the conversation; its id is the same in each call. */
export function message(seq: number, change = seq, content = `${seq}`): MessageView {
  const id = ids.get(seq) ?? newId()
  ids.set(seq, id)
  return {
    id,
    seq,
    change,
    sender_id: sender,
    sent_at: '2026-11-26T00:00:00.000Z',
    body: { is: 'text', content, media: [], hidden_media: 0, post: null, reply_to: null, reactions: [] },
  }
}

/** A page with messages of these places. */
export const messagePage = (seqs: readonly number[], more: Partial<MessagePage> = {}): MessagePage => ({
  messages: seqs.map((it) => message(it)),
  has_before: false,
  has_after: false,
  last_change: 100,
  last_deletion: 0,
  ...more,
})

/** Sequence numbers from one to another, both included. */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)
