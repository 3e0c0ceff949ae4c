// Whether the viewer may write in a conversation now.
import type { ConversationView } from '#contract/messages/conversations.ts'

/** Whether a message can be sent now. */
export const mayWrite = ({ may_write: may, is_request: isRequest }: ConversationView): boolean =>
  !isRequest && may !== 'closed' && may !== 'waiting'
