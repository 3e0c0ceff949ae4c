// Who may write: a table of relations, settings and states.
import { describe, expect, test } from 'vitest'
import { messageFrom } from '#contract/accounts/settings.ts'
import { MAX_REQUEST_MESSAGES } from '#contract/limits.ts'
import { mayWrite, reachesMember, type Writing } from './may-write.ts'

const stranger: Writing = {
  isSelf: false,
  arePresent: true,
  isBlocked: false,
  messageFrom: 'everyone',
  isFollowed: false,
  isPlanMember: false,
  state: null,
  messages: 0,
}
const followed = { isFollowed: true }
const member = { isPlanMember: true }
const full = { messages: MAX_REQUEST_MESSAGES }

/** Columns: the recipient gets messages of everyone, of those they follow, of members of their plans, of no person. */
const table: Record<string, readonly [sender: Partial<Writing>, cells: string]> = {
  stranger: [{}, 'request closed closed closed'],
  'followed by the recipient': [followed, 'open open closed closed'],
  'member of a plan': [member, 'open open open closed'],
  'member of a plan, followed': [{ ...member, ...followed }, 'open open open closed'],
  'request without an answer': [{ state: 'requested', messages: 2 }, 'request closed closed closed'],
  'request with all its messages': [{ state: 'requested', ...full }, 'waiting closed closed closed'],
  'declined request': [{ state: 'declined', messages: 2 }, 'request closed closed closed'],
  'declined request with all its messages': [{ state: 'declined', ...full }, 'waiting closed closed closed'],
  'request, then followed': [{ state: 'requested', ...full, ...followed }, 'open open closed closed'],
  'declined, then followed': [{ state: 'declined', ...full, ...followed }, 'open open closed closed'],
  'declined, then member of a plan': [{ state: 'declined', ...full, ...member }, 'open open open closed'],
  'in the inbox without an answer': [{ state: 'received', messages: 9 }, 'open closed closed closed'],
  'in the inbox, followed': [{ state: 'received', messages: 9, ...followed }, 'open open closed closed'],
  'accepted by the recipient': [{ state: 'accepted', messages: 9 }, 'open open open open'],
  'accepted, followed and member': [{ state: 'accepted', ...followed, ...member }, 'open open open open'],
}

describe.each(Object.entries(table))('%s', (_, [sender, cells]) => {
  test('may write as the table says', () => {
    const found = messageFrom.options.map((it) => mayWrite({ ...stranger, ...sender, messageFrom: it }))
    expect(found.join(' ')).toBe(cells)
  })

  test.each([{ isSelf: true }, { isBlocked: true }, { arePresent: false }])(
    'may not write with %j, whatever else is true',
    (closed) => {
      for (const it of messageFrom.options)
        expect(mayWrite({ ...stranger, ...sender, messageFrom: it, ...closed })).toBe('closed')
    },
  )
})

test('a declined request and one without an answer are the same for its sender', () => {
  for (const it of messageFrom.options)
    for (const isFollowed of [true, false])
      for (const isPlanMember of [true, false])
        for (const messages of [1, 2, 3]) {
          const same = { ...stranger, messageFrom: it, isFollowed, isPlanMember, messages }
          expect(mayWrite({ ...same, state: 'declined' })).toBe(mayWrite({ ...same, state: 'requested' }))
        }
})

test('a broadcast reaches members as if they followed the sender, and those who accepted the conversation', () => {
  const reached = (it: Partial<Writing>) =>
    messageFrom.options.map((from) => reachesMember({ ...stranger, ...it, messageFrom: from })).join(' ')
  expect(reached({})).toBe('true true false false')
  expect(reached({ state: 'requested', ...full })).toBe('true true false false')
  expect(reached({ state: 'declined', messages: 2 })).toBe('true true false false')
  expect(reached({ state: 'accepted' })).toBe('true true true true')
  for (const closed of [{ isSelf: true }, { isBlocked: true }, { arePresent: false }])
    expect(reached({ state: 'accepted', ...closed })).toBe('false false false false')
})
