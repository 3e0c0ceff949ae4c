// Swipes of a row: direction, limits and what remains shown.
import { describe, expect, test } from 'vitest'
import { beginSwipe, moveSwipe, offsetOf, sideAfter, type Swipe, type Widths } from './swipe.ts'

const widths: Widths = { start: 152, end: 76 }

/** A finger that moves to each of these places, 16 ms apart. */
function swiped(moves: readonly (readonly [x: number, y: number])[], start = 0, of = widths): Swipe {
  return moves.reduce(
    (swipe, [x, y], i) => moveSwipe(swipe, { x, y, at: (i + 1) * 16 }, of),
    beginSwipe({ x: 0, y: 0, at: 0 }, start),
  )
}

describe('a finger', () => {
  test('that has moved less than ten pixels has decided nothing', () => {
    expect(swiped([[9, 0]])).toMatchObject({ is: 'begun', offset: 0 })
  })

  test('that moves down first scrolls, also when it turns to the side', () => {
    expect(
      swiped([
        [4, 12],
        [120, 12],
      ]),
    ).toMatchObject({ is: 'other', offset: 0 })
    expect(swiped([[10, 10]]).is).toBe('other')
  })

  test('that moves to the side first takes the row with it, also when it turns down', () => {
    expect(
      swiped([
        [12, 4],
        [60, 80],
      ]),
    ).toMatchObject({ is: 'swiping', offset: 60 })
  })
})

describe('a row', () => {
  test('follows slowly beyond its acts', () => {
    expect([swiped([[252, 0]]).offset, swiped([[-176, 0]]).offset]).toEqual([172, -96])
  })

  test('does not follow to a side without acts', () => {
    expect(swiped([[90, 0]], 0, { start: 0, end: 76 }).offset).toBe(0)
    expect(swiped([[-90, 0]], 0, { start: 152, end: 0 }).offset).toBe(0)
  })

  test('whose acts are shown is moved from there', () => {
    expect(swiped([[-152, 0]], offsetOf('start', widths)).offset).toBe(0)
    expect([offsetOf('end', widths), offsetOf(undefined, widths)]).toEqual([-76, 0])
  })
})

test.each<[offset: number, speed: number, shown: string | undefined]>([
  [0, 2, undefined],
  [76, 0, undefined],
  [77, 0, 'start'],
  [-38, 0, undefined],
  [-39, 0, 'end'],
  [20, 0.5, 'start'],
  [-20, -0.5, 'end'],
  // Back, after the acts were shown.
  [140, -0.5, undefined],
  [-70, 0.5, undefined],
])('at %i px with a speed of %d the shown side is %s', (offset, speed, shown) => {
  expect(sideAfter({ offset, speed }, widths)).toBe(shown)
})
