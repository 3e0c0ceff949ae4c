// What a conversation shows: days, groups, the line of unread messages, states, blocks.
import { expect, test } from 'vitest'
import type { MessageView } from '#contract/messages/messages.ts'
import { newId } from '#contract/ids.ts'
import { blocksOf, shownMessages } from './shown-messages.ts'

const [me, other] = [newId(), newId()]
const START = Date.parse('2026-11-26T14:50:00Z')
const MINUTE = 60_000

const message = (
  seq: number,
  sender: string,
  minutes: number,
  is: 'text' | 'unsent' = 'text',
): MessageView => ({
  id: newId(),
  seq,
  change: seq,
  sender_id: sender,
  sent_at: new Date(START + minutes * MINUTE).toISOString(),
  body:
    is === 'text'
      ? { is, content: `${seq}`, media: [], hidden_media: 0, post: null, reply_to: null, reactions: [] }
      : { is },
})
const viewing = { ownId: me, marks: null, unreadAfter: undefined }

test('a day begins at midnight in Tokyo, a group with another person or after five minutes', () => {
  const shown = shownMessages(
    [
      message(1, me, 0),
      message(2, me, 5),
      message(3, other, 5),
      message(4, other, 9),
      message(5, other, 11),
      message(6, other, 17),
    ],
    viewing,
  )
  // 14:50 UTC is 23:50 in Tokyo.
  expect(shown.map((it) => it.startsDay)).toEqual([true, false, false, false, true, false])
  expect(shown.map((it) => it.startsGroup)).toEqual([true, false, true, false, true, true])
})

test('the line is above the first unread message of the other person', () => {
  const messages = [message(1, other, 0), message(2, me, 1), message(3, other, 2), message(4, other, 3)]
  const lines = (unreadAfter: number | undefined) =>
    shownMessages(messages, { ...viewing, unreadAfter }).flatMap((it) =>
      it.isFirstUnread ? [it.message.seq] : [],
    )
  expect([lines(undefined), lines(0), lines(1), lines(4)]).toEqual([[], [1], [3], []])
})

test('the newest own message shows its state, and the newest one that was read shows that too', () => {
  const messages = [
    message(1, me, 0),
    message(2, me, 1),
    message(3, other, 2),
    message(4, me, 3),
    message(5, me, 4, 'unsent'),
  ]
  const states = (marks: { delivered_seq: number; read_seq: number } | null) =>
    shownMessages(messages, { ...viewing, marks }).map((it) => it.state)
  const none = undefined
  expect(states(null)).toEqual([none, none, none, 'sent', none])
  expect(states({ delivered_seq: 3, read_seq: 2 })).toEqual([none, 'read', none, 'sent', none])
  expect(states({ delivered_seq: 4, read_seq: 0 })).toEqual([none, none, none, 'delivered', none])
  expect(states({ delivered_seq: 5, read_seq: 5 })).toEqual([none, none, none, 'read', none])
})

test('blocks are cut by sequence numbers, so that added messages change no other block', () => {
  const messages = Array.from({ length: 130 }, (_, i) => message(i + 20, me, i))
  const keysOf = (all: readonly MessageView[]) =>
    blocksOf(shownMessages(all, viewing)).map((it) => [it.key, it.messages.length])
  expect(keysOf(messages)).toEqual([
    [0, 30],
    [1, 50],
    [2, 50],
  ])
  expect(keysOf(messages.slice(10))).toEqual([
    [0, 20],
    [1, 50],
    [2, 50],
  ])
})
