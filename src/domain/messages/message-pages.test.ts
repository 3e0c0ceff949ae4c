// Merging changes into pages of messages: order, gaps, deletions, and late replies.
import { describe, expect, test } from 'vitest'
import type { MessagePage, MessageView } from '#contract/messages/messages.ts'
import { newId } from '#contract/ids.ts'
import { changesSeen, messagesIn, type MessagePages, seenUpTo, withChanges } from './message-pages.ts'

const sender = newId()
const ids = new Map<number, string>()

/** A message of this place in the conversation; its id is the same in each call. */
function message(seq: number, change = seq, content = `${seq}`): MessageView {
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

const page = (seqs: readonly number[], more: Partial<MessagePage> = {}): MessagePage => ({
  messages: seqs.map((it) => message(it)),
  has_before: false,
  has_after: false,
  last_change: 100,
  last_deletion: 0,
  ...more,
})
const pages = (...all: MessagePage[]): MessagePages => ({ pages: all, pageParams: all.map(() => null) })
const seqs = (data: MessagePages) => messagesIn(data).map((it) => it.seq)
const add = (data: MessagePages, ...messages: MessageView[]) => withChanges(data, { messages, deleted: [] })

describe('a new message', () => {
  test('is added at the newest end', () => {
    expect(seqs(add(pages(page([1, 2]), page([3, 4])), message(5)))).toEqual([1, 2, 3, 4, 5])
  })

  test('between two others is added in its place, where the reply to an own message came first', () => {
    const own = add(pages(page([1, 2])), message(4))
    const both = add(own, message(3))
    expect(both.pages.map((it) => it.messages.map(({ seq }) => seq))).toEqual([[1, 2, 3, 4]])
  })

  test('is added to the page in whose range it is', () => {
    const data = add(pages(page([1, 2]), page([5, 6])), message(3))
    expect(data.pages.map((it) => it.messages.map(({ seq }) => seq))).toEqual([
      [1, 2, 3],
      [5, 6],
    ])
  })

  test('beyond an end that has more is not added: it is read with its page', () => {
    const middle = pages(page([10, 11], { has_before: true, has_after: true }))
    expect(seqs(add(middle, message(9), message(12)))).toEqual([10, 11])
    expect(add(middle, message(9), message(12))).toBe(middle)
  })

  test('is the first one of an empty conversation', () => {
    expect(seqs(add(pages(page([])), message(1)))).toEqual([1])
  })

  test('that came twice is shown once', () => {
    const once = add(pages(page([1])), message(2))
    expect(add(once, message(2))).toBe(once)
  })
})

describe('a changed message', () => {
  const changed = message(2, 101, '変更後')

  test('takes the place of the earlier state', () => {
    const data = add(pages(page([1, 2, 3])), changed)
    expect(messagesIn(data)[1]).toBe(changed)
  })

  test('that arrives late does not replace a newer state', () => {
    const data = add(pages(page([1, 2, 3])), changed)
    expect(add(data, message(2, 100))).toBe(data)
  })

  test('is shown in its newest state where two pages have it', () => {
    const data = pages(page([1]), { ...page([]), messages: [message(1, 102, '新しい')] })
    expect(messagesIn(data).map((it) => it.change)).toEqual([102])
  })
})

test('a deleted message is removed, also where the same reply has a change of it', () => {
  const data = pages(page([1, 2, 3]))
  const gone = message(2).id
  expect(seqs(withChanges(data, { messages: [message(2, 101)], deleted: [gone] }))).toEqual([1, 3])
})

test('the seen numbers are the lowest of all pages, and only increase', () => {
  const data = pages(page([1], { last_change: 5, last_deletion: 2 }), page([2], { last_change: 9 }))
  expect(changesSeen(data)).toEqual({ after: 5, deletedAfter: 0 })
  const seen = seenUpTo(data, 7, 1)
  expect(seen.pages.map((it) => [it.last_change, it.last_deletion])).toEqual([
    [7, 2],
    [9, 1],
  ])
  expect(seenUpTo(seen, 6, 0)).toBe(seen)
})
