// Zoom, pan and turn of a picture in a frame, as pure rules.

/** A size in CSS pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** A place or a distance in CSS pixels; places are relative to the centre of the frame. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A frame on the screen, and the picture in it with its own size. */
export interface Stage {
  readonly frame: Size
  readonly picture: Size
}

export interface View extends Point {
  /** 1: the whole picture fits into the frame. */
  readonly zoom: number
  /** Clockwise, degrees. `x` and `y` are where the centre of the picture is. */
  readonly turn: 0 | 90 | 180 | 270
}

export const MAX_ZOOM = 8
export const fitted: View = { zoom: 1, x: 0, y: 0, turn: 0 }

/** The zooms of the buttons and keys. */
const steps = [1, 1.5, 2, 3, 4, 6, MAX_ZOOM]
const next = { 0: 90, 90: 180, 180: 270, 270: 0 } as const

/** The factor by which a picture is drawn so that all of it is in the frame. */
export function fitScale({ frame, picture }: Stage, turn: View['turn']): number {
  const lies = turn === 90 || turn === 270
  const width = lies ? picture.height : picture.width
  const height = lies ? picture.width : picture.height
  return width > 0 && height > 0 ? Math.min(frame.width / width, frame.height / height) : 1
}

/** The size of a picture as it is shown, turned. */
export function shownSize(stage: Stage, { zoom, turn }: View): Size {
  const scale = fitScale(stage, turn) * zoom
  const { width, height } = stage.picture
  const lies = turn === 90 || turn === 270
  return { width: (lies ? height : width) * scale, height: (lies ? width : height) * scale }
}

const between = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** The nearest view whose zoom is allowed and whose picture has no gap beside it that panning could close. */
export function limited(view: View, stage: Stage): View {
  const zoom = between(view.zoom, 1, MAX_ZOOM)
  const shown = shownSize(stage, { ...view, zoom })
  const x = Math.max(0, (shown.width - stage.frame.width) / 2)
  const y = Math.max(0, (shown.height - stage.frame.height) / 2)
  // `+ 0` turns -0 into 0.
  return { zoom, turn: view.turn, x: between(view.x, -x, x) + 0, y: between(view.y, -y, y) + 0 }
}

/** Zooms so that what is at a place of the frame stays there, as far as the limits allow. */
export function zoomed(view: View, zoom: number, stage: Stage, at: Point = { x: 0, y: 0 }): View {
  const allowed = between(zoom, 1, MAX_ZOOM)
  const factor = allowed / view.zoom
  return limited(
    { ...view, zoom: allowed, x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor },
    stage,
  )
}

export const panned = (view: View, by: Point, stage: Stage): View =>
  limited({ ...view, x: view.x + by.x, y: view.y + by.y }, stage)

/** Turns by 90 degrees clockwise; what is in the centre of the frame stays there. */
export function turned(view: View, stage: Stage): View {
  const turn = next[view.turn]
  const factor = fitScale(stage, turn) / fitScale(stage, view.turn)
  return limited({ ...view, turn, x: -view.y * factor, y: view.x * factor }, stage)
}

/** The next zoom of the buttons; the same one at the end. */
export function stepped(zoom: number, by: 'in' | 'out'): number {
  if (by === 'in') return steps.find((it) => it > zoom + 0.01) ?? MAX_ZOOM
  return steps.findLast((it) => it < zoom - 0.01) ?? 1
}

/** The zoom after a turn of the wheel or a pinch of a touchpad, which sends small turns. @param delta CSS pixels, down positive */
export const wheeled = (zoom: number, delta: number): number =>
  zoom * Math.exp(-between(delta, -120, 120) * 0.003)

/** The view after two fingers moved: their distance zooms, their centre pans. */
export function pinched(
  view: View,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
  stage: Stage,
): View {
  const from = centreOf(before)
  const to = centreOf(after)
  const moved = { ...view, x: view.x + to.x - from.x, y: view.y + to.y - from.y }
  const factor = distanceOf(before) > 0 ? distanceOf(after) / distanceOf(before) : 1
  return zoomed(moved, view.zoom * factor, stage, to)
}

const centreOf = ([one, other]: readonly [Point, Point]): Point => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
})
const distanceOf = ([one, other]: readonly [Point, Point]): number =>
  Math.hypot(one.x - other.x, one.y - other.y)
