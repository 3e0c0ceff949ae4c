// Planted faults in messages: order, requests, read positions and access.
import type { Fault } from './fault.ts'

const messages = ['server/modules/messages/messages.test.ts']
const requests = ['server/modules/messages/requests.test.ts']
const positions = ['server/modules/messages/positions.test.ts']
const access = ['server/modules/messages/access.test.ts']
const concurrency = ['server/modules/messages/concurrency.test.ts']

export const messageFaults: readonly Fault[] = [
  {
    name: 'a reaction takes a sequence number, so that the messages have a gap',
    file: 'server/store/messages/conversations.ts',
    find: 'lastSeq: change.isMessage ? sql`${lastSeq} + 1` : lastSeq,',
    replace: 'lastSeq: sql`${lastSeq} + 1`,',
    tests: positions,
    caughtBy: 'a message, a reaction and an unsent message send ids and numbers to both people',
  },
  {
    name: 'first messages at once do not wait for each other',
    file: 'server/modules/messages/send.ts',
    find: '    await lockPair(unit.tx, it.senderId, it.recipientId)\n',
    replace: '',
    tests: concurrency,
    caughtBy: 'messages of one request at once are not more than three',
  },
  {
    name: 'a message sent again with another text is taken for the stored one',
    file: 'server/modules/messages/send.ts',
    find: 'message.content !== content || message.postId !== postId',
    replace: 'message.postId !== postId',
    tests: messages,
    caughtBy: 'a message sent again is one message, and its id is a conflict for anything else',
  },
  {
    name: 'a message request has no limit',
    file: 'server/rules/messages/may-write.ts',
    find: "return it.messages < MAX_REQUEST_MESSAGES ? 'request' : 'waiting'",
    replace: "return it.messages < 1e6 ? 'request' : 'waiting'",
    tests: requests,
    caughtBy: 'can be followed by two more, and then only after an answer',
  },
  {
    name: 'a message to a person who declined arrives',
    file: 'server/modules/messages/send.ts',
    find: "return before === 'declined' ? before : 'requested'",
    replace: "return before === 'declined' ? 'requested' : 'requested'",
    tests: requests,
    caughtBy: 'is in no list of the person who declined, nor counted, and can be accepted later',
  },
  {
    name: 'a conversation in the inbox stays open without an answer',
    file: 'server/rules/messages/may-write.ts',
    find: "if (it.state === 'accepted') return 'open'",
    replace: "if (it.state === 'accepted' || it.state === 'received') return 'open'",
    tests: requests,
    caughtBy: 'closes one to which the person has not answered',
  },
  {
    name: 'a read position goes back',
    file: 'server/store/messages/conversations.ts',
    find: 'readSeq: sql`greatest(${readSeq}, ${to.readSeq})`,',
    replace: 'readSeq: to.readSeq,',
    tests: positions,
    caughtBy: 'a position goes neither back nor beyond the newest message',
  },
  {
    name: 'reading gives itself away although no read marks are sent',
    file: 'server/modules/messages/member.ts',
    find: 'const numbers = showsMarks(contact) ? await changeForBoth(unit, locked) : conversation',
    replace: 'const numbers = await changeForBoth(unit, locked)',
    tests: positions,
    caughtBy: 'neither sees marks, and reading changes nothing for others',
  },
  {
    name: 'a blocked person reads the conversation',
    file: 'server/modules/messages/views.ts',
    find: "if (!contact || contact.isBlocked) throw new ApiError('not_found')",
    replace: "if (!contact) throw new ApiError('not_found')",
    tests: access,
    caughtBy: 'messages',
  },
  {
    name: 'a member of no conversation reaches its messages',
    file: 'server/store/messages/messages.ts',
    find: "mine.conversation_id = m.conversation_id and mine.user_id = ${param('viewer')}",
    replace: 'mine.conversation_id = m.conversation_id',
    tests: access,
    caughtBy: 'a message of others and one that does not exist have the same reply',
  },
  {
    name: 'deleting a message for oneself deletes it for both',
    file: 'server/store/messages/message-facts.ts',
    find: 'where h.message_id = ${sql.raw(alias)}.id and h.user_id = ${viewer})`',
    replace: 'where h.message_id = ${sql.raw(alias)}.id and ${viewer} is not null)`',
    tests: messages,
    caughtBy: 'a message deleted for oneself stays for the other person, who sees no change of it',
  },
]
