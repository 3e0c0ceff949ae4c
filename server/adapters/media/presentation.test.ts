// When the packets of a film are what it shows.
import { describe, expect, test } from 'vitest'
import type { Edit } from '#contract/kinds/iso-presentation.ts'
import {
  arePresentation,
  countShown,
  everything,
  isRightAngle,
  isShown,
  spanOf,
  turned,
  type VideoFacts,
} from './presentation.ts'

const edit = (length: number, more: Partial<Edit> = {}): Edit => ({ length, empty: false, rate: 1, ...more })
const plain: VideoFacts = {
  edits: [edit(10)],
  hidden: 0,
  linear: [1, 0, 0, 1],
  crop: undefined,
  pixelShape: undefined,
  descriptions: 1,
}

describe('the part of a track that is shown', () => {
  test('is everything without an edit, and from the end of an empty edit for the length of the next one', () => {
    expect(spanOf([])).toEqual(everything)
    expect(spanOf([edit(2, { empty: true }), edit(3)])).toEqual({ from: 2, to: 5 })
    expect(spanOf([edit(0)])).toEqual({ from: 0, to: Infinity })
  })

  test('is not one part with a second edit, even an empty one, or at another speed', () => {
    expect(spanOf([edit(2), edit(3)])).toBeUndefined()
    expect(spanOf([edit(2), edit(3, { empty: true })])).toBeUndefined()
    expect(spanOf([edit(2, { rate: 0.5 })])).toBeUndefined()
  })

  test('has a packet of which any moment is inside, whatever a tick of the movie rounds', () => {
    const span = { from: 0, to: 5.8 }
    const isIn = (timestamp: number, duration = 0.04) => isShown({ timestamp, duration }, span)
    expect([isIn(-0.04), isIn(-0.0395), isIn(-0.02), isIn(0), isIn(0, 0)]).toEqual([
      false,
      false,
      true,
      true,
      true,
    ])
    expect([isIn(5.76), isIn(5.79), isIn(5.7995), isIn(5.8)]).toEqual([true, true, false, false])
  })
})

describe('packets', () => {
  const at = (timestamp: number, duration = 0.04) => ({ timestamp, duration })
  const span = { from: 0, to: 1 }

  test('are hidden outside of the span', async () => {
    expect(await countShown([at(-0.04), at(0), at(0.96), at(1)], span)).toEqual({ shown: 2, hidden: 2 })
  })

  test('that last no time and begin at its end or later show nothing, so none of them is hidden', async () => {
    expect(await countShown([at(0), at(0.96), at(1, 0)], span)).toEqual({ shown: 2, hidden: 0 })
    expect(await countShown([at(0), at(1, 0), at(1.04, 0)], span)).toEqual({ shown: 1, hidden: 0 })
    expect(await countShown([at(0), at(1, 0), at(1)], span)).toEqual({ shown: 1, hidden: 1 })
    expect(await countShown([at(-0.04, 0), at(0)], span)).toEqual({ shown: 1, hidden: 1 })
  })

  test('that others are decoded from cannot be left out', async () => {
    expect(await countShown([at(0), at(1, 0), at(0.96)], span)).toEqual({ shown: 2, hidden: 1 })
  })
})

test('packets are the presentation unless one is hidden, or something says how to show them that a copy loses', () => {
  expect(arePresentation(plain)).toBe(true)
  expect(arePresentation({ ...plain, hidden: 1 })).toBe(false)
  expect(arePresentation({ ...plain, edits: [edit(1), edit(1)] })).toBe(false)
  expect(arePresentation({ ...plain, descriptions: 2 })).toBe(false)
  expect(arePresentation({ ...plain, crop: { width: 300, height: 200, x: 0, y: 0 } })).toBe(false)
  expect(arePresentation({ ...plain, pixelShape: 1.5 })).toBe(false)
  expect(arePresentation({ ...plain, linear: [-1, 0, 0, 1] })).toBe(false)
})

test('a copy keeps the four rotations, and no mirror, other angle or scale', () => {
  const kept = [
    [1, 0, 0, 1],
    [0, 1, -1, 0],
    [-1, 0, 0, -1],
    [0, -1, 1, 0],
  ] as const
  for (const linear of kept) expect([linear, isRightAngle(linear)]).toEqual([linear, true])
  const lost = [
    [-1, 0, 0, 1],
    [1, 0, 0, -1],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
    [0.6, 0.6, -0.6, 0.6],
    [2, 0, 0, 1],
  ] as const
  for (const linear of lost) expect([linear, isRightAngle(linear)]).toEqual([linear, false])
})

test('a clean aperture and the shape of a pixel turn with the picture', () => {
  const coded = { width: 320, height: 240 }
  const crop = { width: 100, height: 60, x: 10, y: 20 }
  const at = (linear: VideoFacts['linear']) => turned({ crop, pixelShape: 2 }, coded, linear)
  expect(at([1, 0, 0, 1])).toEqual({ crop, pixelShape: 2 })
  expect(at([-1, 0, 0, 1]).crop).toEqual({ ...crop, x: 210 })
  expect(at([-1, 0, 0, -1]).crop).toEqual({ ...crop, x: 210, y: 160 })
  // Clockwise: what was at the bottom is at the left.
  expect(at([0, 1, -1, 0])).toEqual({ crop: { width: 60, height: 100, x: 160, y: 10 }, pixelShape: 0.5 })
  expect(at([0, -1, 1, 0]).crop).toEqual({ width: 60, height: 100, x: 20, y: 210 })
})
