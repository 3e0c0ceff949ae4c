// Planted faults in pushes and emails about messages, and in their reports.
import type { Fault } from './fault.ts'

const pushes = ['server/modules/push/messages.test.ts']
const emails = ['server/modules/notifications/message-email.test.ts']
const reports = ['server/modules/reports/messages.test.ts']
const admins = ['server/modules/reports/admin.test.ts']

export const messageNoticeFaults: readonly Fault[] = [
  {
    name: 'a muted conversation is pushed',
    file: 'server/store/messages/notices.ts',
    find: 'and not mine.muted and not mine.archived',
    replace: 'and not mine.archived',
    tests: pushes,
    caughtBy: 'when the conversation was muted meanwhile',
  },
  {
    name: 'a message is pushed that was read meanwhile',
    file: 'server/store/messages/notices.ts',
    find: 'm.seq > greatest(mine.read_seq, mine.cleared_seq) and mine.unread > 0',
    replace: 'm.seq > mine.cleared_seq',
    tests: pushes,
    caughtBy: 'when the conversation was read meanwhile',
  },
  {
    name: 'each of many messages is pushed by itself',
    file: 'server/store/messages/notices.ts',
    find: 'lt(conversationMembers.pushedSeq, seq)',
    replace: 'lte(conversationMembers.pushedSeq, seq)',
    tests: pushes,
    caughtBy: 'ten messages at once are one push',
  },
  {
    name: 'a push has the text although its recipient wants none',
    file: 'server/services/notifications/message-notice.ts',
    find: 'showsText ? beginning(content) : null',
    replace: 'showsText ? beginning(content) : content',
    tests: pushes,
    caughtBy: 'without text on the screen, by the privacy setting, the push has no text',
  },
  {
    name: 'a message request is pushed',
    file: 'server/modules/messages/send.ts',
    find: "  if (state === 'requested') return place\n",
    replace: '',
    tests: pushes,
    caughtBy: 'of a message request, nor once it is declined',
  },
  {
    name: 'both people of a conversation have the same topic at a push service',
    file: 'server/modules/push/send-messages.ts',
    find: '`${conversationId} ${recipientId}`',
    replace: '`${conversationId} ${recipientId.length}`',
    tests: pushes,
    caughtBy: 'each of two people has another topic',
  },
  {
    name: 'each unread message has an email',
    file: 'server/store/messages/notices.ts',
    find: 'or(isNull(mailedAt), lte(mailedAt, new Date(since)))',
    replace: 'or(isNull(mailedAt), lte(mailedAt, new Date(since + now)))',
    tests: emails,
    caughtBy: 'a day has one email about a conversation',
  },
  {
    name: 'a person outside of a conversation reports its messages',
    file: 'server/store/messages/reportable.ts',
    find: 'mine.conversation_id = m.conversation_id and mine.user_id = ${viewer}',
    replace: 'mine.conversation_id = m.conversation_id and mine.user_id <> m.sender_id',
    tests: reports,
    caughtBy: 'is not found for its own sender, for other people',
  },
  {
    name: 'a block ends the reporting of messages at once',
    file: 'server/store/messages/reportable.ts',
    find: 'where b.created_at < ${since} and (',
    replace: 'where (',
    tests: reports,
    caughtBy: 'after the sender blocked the reporter',
  },
  {
    name: 'a copy of a reported message opens in another place',
    file: 'server/services/people/sealed-copy.ts',
    find: '`${reportId} ${seq}`',
    replace: '`${reportId} ${Math.sign(seq)}`',
    tests: reports,
    caughtBy: 'cannot be opened in another place of the report',
  },
  {
    name: 'an admin reads reported messages without a confirmation',
    file: 'server/modules/reports/admin-routes.ts',
    find: '    validatedOf(viewer, clock())\n',
    replace: '',
    tests: admins,
    caughtBy: 'are not read without a validation of this session',
  },
  {
    name: 'reported messages are read without an entry in the audit log',
    file: 'server/modules/reports/admin-routes.ts',
    find: '    await audit({ ...entry, subjectId: report.id, ip: request.ip })\n',
    replace: '',
    tests: admins,
    caughtBy: 'are in the audit log at each reading',
  },
  {
    name: 'a reply on the notice of another person’s conversation is sent',
    file: 'sw/read.ts',
    find: '!isSendable(body) || (await session())?.user.id !== userId',
    replace: '!isSendable(body) || !(await session())',
    tests: ['sw/read.test.ts'],
    caughtBy: 'on the notice of another person',
  },
]
