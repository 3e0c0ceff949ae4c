// Zoom, pan and turn of a picture: what is shown, and its limits.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fitScale,
  fitted,
  limited,
  MAX_ZOOM,
  panned,
  pinched,
  type Point,
  shownSize,
  type Stage,
  stepped,
  turned,
  type View,
  wheeled,
  zoomed,
} from './zoom.ts'

/** A card of 800 by 500 pixels in a frame of 400 by 300: it fits with its width. */
const card: Stage = { frame: { width: 400, height: 300 }, picture: { width: 800, height: 500 } }

describe('the whole picture', () => {
  test.each([
    [0, 0.5, { width: 400, height: 250 }],
    [90, 0.375, { width: 187.5, height: 300 }],
    [180, 0.5, { width: 400, height: 250 }],
    [270, 0.375, { width: 187.5, height: 300 }],
  ] as const)('turned by %i degrees is drawn with the factor %d', (turn, scale, size) => {
    expect(fitScale(card, turn)).toBe(scale)
    expect(shownSize(card, { ...fitted, turn })).toEqual(size)
  })

  test('that is small is enlarged, and one without a size is drawn as it is', () => {
    expect(fitScale({ ...card, picture: { width: 40, height: 20 } }, 0)).toBe(10)
    expect(fitScale({ ...card, picture: { width: 0, height: 0 } }, 90)).toBe(1)
  })

  test('cannot be panned', () => {
    expect(panned(fitted, { x: 50, y: -50 }, card)).toEqual(fitted)
  })
})

describe('panning', () => {
  test.each([
    [2, { x: 900, y: 900 }, { x: 200, y: 100 }],
    [2, { x: -900, y: -900 }, { x: -200, y: -100 }],
    [2, { x: 30, y: -40 }, { x: 30, y: -40 }],
    // At 1.2 the picture is as high as the frame, so it moves sideways only.
    [1.2, { x: 900, y: 900 }, { x: 40, y: 0 }],
  ])('at zoom %d by %o ends at %o', (zoom, by, end) => {
    const view = panned({ ...fitted, zoom }, by, card)
    expect(view).toMatchObject({ zoom, turn: 0 })
    expect([view.x, view.y].map(Math.round)).toEqual([end.x, end.y])
  })
})

describe('zooming', () => {
  test('keeps what is under the pointer', () => {
    const at = { x: 120, y: -60 }
    const view = zoomed({ ...fitted, zoom: 2, x: 20, y: 10 }, 4, card, at)
    // 4 is twice 2: everything is twice as far from the pointer.
    expect(view).toEqual({ zoom: 4, turn: 0, x: 120 - 2 * 100, y: -60 + 2 * 70 })
  })

  test('out to the whole picture centres it', () => {
    expect(zoomed({ zoom: 3, turn: 180, x: 300, y: -200 }, 1, card, { x: 9, y: 9 })).toEqual({
      ...fitted,
      turn: 180,
    })
  })

  test('ends at the whole picture and at eight times', () => {
    expect(zoomed(fitted, 0.2, card).zoom).toBe(1)
    expect(zoomed(fitted, 100, card).zoom).toBe(MAX_ZOOM)
  })

  test('by buttons goes in steps, from zooms between them too', () => {
    const up = [1, 1.5, 2, 3, 4, 6, 8]
    expect(up.map((it) => stepped(it, 'in'))).toEqual([1.5, 2, 3, 4, 6, 8, 8])
    expect(up.map((it) => stepped(it, 'out'))).toEqual([1, 1, 1.5, 2, 3, 4, 6])
    expect([stepped(2.4, 'in'), stepped(2.4, 'out')]).toEqual([3, 2])
  })

  test('by the wheel goes in upwards, back by the same turn, and never far at once', () => {
    expect(wheeled(1, -100)).toBeGreaterThan(1.2)
    expect(wheeled(wheeled(2, -40), 40)).toBeCloseTo(2)
    expect(wheeled(2, -100_000)).toBe(wheeled(2, -120))
  })
})

describe('two fingers', () => {
  const apart = (centre: Point, by: number): [Point, Point] => [
    { x: centre.x - by, y: centre.y },
    { x: centre.x + by, y: centre.y },
  ]

  test('zoom about their centre', () => {
    const centre = { x: 50, y: 20 }
    expect(pinched({ ...fitted, zoom: 2 }, apart(centre, 40), apart(centre, 80), card)).toEqual({
      zoom: 4,
      turn: 0,
      x: -50,
      y: -20,
    })
  })

  test('that move together pan', () => {
    const view = pinched(
      { ...fitted, zoom: 3 },
      apart({ x: 0, y: 0 }, 40),
      apart({ x: 25, y: -15 }, 40),
      card,
    )
    expect(view).toEqual({ zoom: 3, turn: 0, x: 25, y: -15 })
  })

  test('at one place change nothing', () => {
    const view = { ...fitted, zoom: 2 }
    expect(pinched(view, apart({ x: 0, y: 0 }, 0), apart({ x: 0, y: 0 }, 0), card)).toEqual(view)
  })
})

describe('turning', () => {
  test('four times is no turn', () => {
    const view = { zoom: 4, turn: 0, x: 60, y: -50 } as const
    const end = [1, 2, 3, 4].reduce<View>((it) => turned(it, card), view)
    expect([end.turn, Math.round(end.x), Math.round(end.y)]).toEqual([0, 60, -50])
  })

  test('keeps what is in the centre, in the new size of the picture', () => {
    // 0.375 of the picture instead of 0.5; what was 100 to the left of the centre is 75 above it.
    expect(turned({ zoom: 4, turn: 0, x: 100, y: 0 }, card)).toEqual({ zoom: 4, turn: 90, x: 0, y: 75 })
  })
})

test('no gesture leaves a gap beside a picture that is larger than its frame, nor moves a smaller one', () => {
  const size = fc.record({
    width: fc.integer({ min: 1, max: 6000 }),
    height: fc.integer({ min: 1, max: 6000 }),
  })
  const point = fc.record({
    x: fc.integer({ min: -5000, max: 5000 }),
    y: fc.integer({ min: -5000, max: 5000 }),
  })
  const gesture = fc.oneof(
    point.map((by) => (view: View, stage: Stage) => panned(view, by, stage)),
    fc.tuple(point, fc.double({ min: 0.1, max: 20, noNaN: true })).map(
      ([at, zoom]) =>
        (view: View, stage: Stage) =>
          zoomed(view, zoom, stage, at),
    ),
    fc.constant((view: View, stage: Stage) => turned(view, stage)),
  )
  fc.assert(
    fc.property(size, size, fc.array(gesture, { maxLength: 12 }), (frame, picture, gestures) => {
      const stage = { frame, picture }
      const view = gestures.reduce<View>((it, apply) => apply(it, stage), fitted)
      const shown = shownSize(stage, view)
      for (const [place, length, room] of [
        [view.x, shown.width, frame.width],
        [view.y, shown.height, frame.height],
      ] as const)
        expect(Math.abs(place)).toBeLessThanOrEqual(Math.max(0, (length - room) / 2) + 1e-6)
      expect(limited(view, stage)).toEqual(view)
    }),
  )
})
