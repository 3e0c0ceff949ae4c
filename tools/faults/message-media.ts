// Planted faults in images and videos of messages: who reads them, and once.
import type { Fault } from './fault.ts'

const access = ['server/modules/messages/media-access.test.ts']
const once = ['server/modules/messages/media-once.test.ts']
const erasure = ['server/modules/messages/media-erasure.test.ts']
const media = ['server/modules/messages/media.test.ts']
const rule = 'server/rules/messages/media-access.ts'
const permit = 'server/modules/media/permit.ts'

const accessFaults: readonly Fault[] = [
  {
    name: 'files of a message are readable by a member of another conversation',
    file: 'server/store/messages/message-media.ts',
    find: 'mine.conversation_id = m.conversation_id and mine.user_id = ${viewer}\n',
    replace: 'mine.conversation_id = m.conversation_id and ${viewer} is not null\n',
    tests: access,
    caughtBy: 'another member',
  },
  {
    name: 'files of a message request are readable before it is accepted',
    file: rule,
    find: "isSender || state === 'received' || state === 'accepted'",
    replace: "isSender || state !== 'declined'",
    tests: access,
    caughtBy: 'the recipient of a request',
  },
  {
    name: 'files of a message are readable after a block',
    file: rule,
    find: '  !reading.isBlocked &&\n',
    replace: '',
    tests: access,
    caughtBy: 'the recipient who is blocked',
  },
  {
    name: 'files of a message that a person has deleted for themselves stay readable for them',
    file: rule,
    find: '  !reading.isHidden &&\n',
    replace: '',
    tests: access,
    caughtBy: 'the recipient who has hidden it',
  },
  {
    name: 'files of a message stay readable after the conversation was cleared',
    file: 'server/store/messages/message-media.ts',
    find: 'm.seq <= mine.cleared_seq or not',
    replace: 'm.seq < mine.cleared_seq or not',
    tests: access,
    caughtBy: 'the recipient who has cleared',
  },
  {
    name: 'files of a message are served without a signature',
    file: permit,
    find: 'return signedPermit(deps, viewer, request, true)',
    replace: "return { is: 'open' }",
    tests: access,
    caughtBy: 'the recipient',
  },
  {
    name: 'files of a message stay in caches for minutes',
    file: permit,
    find: 'return signedPermit(deps, viewer, request, true)',
    replace: 'return signedPermit(deps, viewer, request, false)',
    tests: access,
    caughtBy: 'caches revalidate every file',
  },
  {
    name: 'originals of a message are sent to its recipient',
    file: permit,
    find: "request.what === 'original' && !reading?.isSender",
    replace: "request.what === 'original' && !reading",
    tests: access,
    caughtBy: 'the recipient',
  },
  {
    name: 'files of a message are readable after it was unsent',
    file: 'server/modules/messages/change.ts',
    find: 'of await detachFromMessage(unit.tx, message.id))',
    replace: "of message.content === '-' ? await detachFromMessage(unit.tx, message.id) : [])",
    tests: media,
    caughtBy: 'unsending removes the files',
  },
  {
    name: 'files of a message request are named to its recipient before it is accepted',
    file: 'server/modules/messages/views.ts',
    find: 'media: isShown ? mediaViews(media, { own, address, original: address }) : [],',
    replace: 'media: mediaViews(media, { own, address, original: address }),',
    tests: access,
    caughtBy: 'to the recipient of a request have the number of files',
  },
]

const onceFaults: readonly Fault[] = [
  {
    name: 'media of a message that is sent again are not compared',
    file: 'server/modules/messages/send.ts',
    find: 'return stored.length === media.length && stored.every((it, i) => it === media[i])',
    replace: 'return stored.length >= 0 && media.length >= 0',
    tests: once,
    caughtBy: 'a message sent again with its media is one message',
  },
  {
    name: 'uploads of a message are taken although another one has them',
    file: 'server/modules/messages/attachments.ts',
    find: '  if (taken.length > 0)\n',
    replace: '  if (taken.length > uploads.length)\n',
    tests: once,
    caughtBy: 'of messages with one upload at once, exactly one is sent',
  },
  {
    name: 'uploads of a message may belong to another person',
    file: 'server/services/uploads/own-upload.ts',
    find: 'if (row?.ownerId !== ownerId ||',
    replace: 'if (!row || ownerId === id ||',
    tests: once,
    caughtBy: 'uploads of others, documents, unknown ids and one id twice are invalid',
  },
  {
    name: 'videos of a message are not limited to one',
    file: 'server/modules/messages/attachments.ts',
    find: 'videos > MAX_MESSAGE_VIDEOS ||',
    replace: 'videos > MAX_MESSAGE_IMAGES ||',
    tests: once,
    caughtBy: 'a message has at most ten images and one video',
  },
  {
    name: 'uploads of a message expire as unused ones',
    file: 'server/modules/messages/attachments.ts',
    find: '  const taken = await holdUploads(tx, held, now)\n',
    replace: '  const taken = await holdUploads(tx, held.slice(uploads.length), now)\n',
    tests: media,
    caughtBy: 'uploads of a message do not expire',
  },
]

const stateFaults: readonly Fault[] = [
  {
    name: 'devices do not read media of a message again after its request was accepted',
    file: 'server/modules/messages/member.ts',
    find: '    if (!takesPart(conversation.mine)) await revealMedia(unit.tx, conversation.id, changed.otherId)\n',
    replace: '',
    tests: media,
    caughtBy: 'a request shows the number of files, and the files once it is accepted or answered',
  },
  {
    name: 'a file of a message that is made is no change of its conversation',
    file: 'server/modules/messages/media-state.ts',
    find: '    await setChange(tx, place.messageId, numbers.lastChange)\n',
    replace: '',
    tests: media,
    caughtBy: 'both see an image and a video once they are made',
  },
  {
    name: 'a person who declined hears of a file of a message that is made',
    file: 'server/modules/messages/media-state.ts',
    find: 'if (place.isDelivered) publishToBoth',
    replace: 'if (place.messageId) publishToBoth',
    tests: media,
    caughtBy: 'the person who declined gets no live message',
  },
  {
    name: 'messages of a deleted account that lost their media stay unread',
    file: 'server/store/messages/erase.ts',
    find: '  await recountAllUnread(tx, [...new Set(rows.map((row) => row.id))])\n',
    replace: '',
    tests: erasure,
    caughtBy: 'texts stay without files',
  },
  {
    name: 'devices do not read messages of a deleted account again that lost their media',
    file: 'server/store/messages/erase.ts',
    find: 'set change = counted.before + own.n,',
    replace: 'set change = m.change + 0 * own.n,',
    tests: erasure,
    caughtBy: 'texts stay without files',
  },
]

export const messageMediaFaults: readonly Fault[] = [...accessFaults, ...onceFaults, ...stateFaults]
