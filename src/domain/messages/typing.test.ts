// Typing: how often it is reported, and how long it is shown.
import { describe, expect, test } from 'vitest'
import { TYPING_REFUSED_WITHIN } from '#contract/realtime/channels.ts'
import { createTypingThrottle, noTyping, TYPING_EVERY, type TypingEvent, typingAfter } from './typing.ts'

describe('typing is reported', () => {
  test('with the first letter, and then at most every three seconds while letters come', () => {
    const isReported = createTypingThrottle()
    const times = Array.from({ length: 100 }, (_, i) => i * 100)
    expect(times.filter((at) => isReported('あ'.repeat(at + 1), at))).toEqual([0, 3000, 6000, 9000])
  })

  test('at once after a pause, also long ones, and after the clock was set back', () => {
    const isReported = createTypingThrottle()
    expect([isReported('あ', 50_000), isReported('あい', 50_000 + TYPING_EVERY)]).toEqual([true, true])
    expect(isReported('あいう', 50_000 + TYPING_EVERY * 100)).toBe(true)
  })

  test('not when the field becomes empty or has spaces alone, which reset nothing', () => {
    const isReported = createTypingThrottle()
    expect([isReported('', 0), isReported('　 ', 1), isReported('あ', 2)]).toEqual([false, false, true])
    expect([isReported('', 3), isReported('い', 4)]).toEqual([false, false])
  })

  test('so rarely that the server refuses none of it', () => {
    expect(TYPING_EVERY).toBeGreaterThan(TYPING_REFUSED_WITHIN)
  })
})

describe('typing of the other person', () => {
  const after = (...events: TypingEvent[]) => events.reduce(typingAfter, noTyping(7))

  test('is shown until it expires, and was announced once', () => {
    expect(after({ is: 'typed' })).toEqual({ isShown: true, isAnnounced: true, seq: 7 })
    expect(after({ is: 'typed' }, { is: 'expired' })).toEqual({ isShown: false, isAnnounced: true, seq: 7 })
    expect(after({ is: 'typed' }, { is: 'expired' }, { is: 'typed' }).isAnnounced).toBe(true)
  })

  test('ends at once with a message, and is announced again after it', () => {
    expect(after({ is: 'typed' }, { is: 'changed', seq: 8 })).toEqual(noTyping(8))
  })

  test('continues after a reaction, a read mark and an own message', () => {
    expect(after({ is: 'typed' }, { is: 'changed', seq: 7 }).isShown).toBe(true)
    const own = after({ is: 'typed' }, { is: 'read', seq: 8 }, { is: 'changed', seq: 8 })
    expect([own.isShown, own.seq]).toEqual([true, 8])
  })

  test('late events change nothing', () => {
    const before = noTyping(7)
    for (const event of [{ is: 'expired' }, { is: 'changed', seq: 6 }, { is: 'read', seq: 7 }] as const)
      expect(typingAfter(before, event)).toBe(before)
  })
})
