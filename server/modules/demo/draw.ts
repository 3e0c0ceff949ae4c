// Drawing of the demo pictures: colours, seeded random numbers and shapes that scenes share.

export const ink = '#231d19'
export const paper = '#f7f2e9'
export const seal = '#cf3f2e'
export const sea = { deep: '#22384e', mid: '#41617c', pale: '#8ba6b3', mist: '#c6d3d3' }
export const moss = { deep: '#3e4a38', mid: '#6c7a58', pale: '#a9b08a' }
export const dusk = { sand: '#ecd3b0', apricot: '#e9b48a', rose: '#dba59a', plum: '#7d5a66' }
export const night = { deep: '#161d2b', mid: '#26324a', pale: '#495a78' }
export const gold = '#d8ac5c'

export const W = 1600
export const H = 1200

/** A seeded generator of random numbers in [from, to). */
export type Random = (from: number, to: number) => number

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return (from, to) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return from + (((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * (to - from)
  }
}

export const many = <T>(n: number, make: (i: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i))

const round = (n: number) => Math.round(n * 10) / 10

/** A shape from a line of random heights down to the bottom edge. */
export function ridge(
  random: Random,
  y: number,
  amplitude: number,
  fill: string,
  shape: { steps?: number; roughness?: number; width?: number; height?: number } = {},
): string {
  const { steps = 7, roughness = 0.5, width = W, height = H } = shape
  const heights = many(
    steps + 1,
    (i) => y - amplitude * (0.5 + 0.5 * Math.sin(i * 1.7 + random(0, 6.3))) * random(1 - roughness, 1),
  )
  const step = width / steps
  let d = `M0 ${height}L0 ${round(heights[0] ?? y)}`
  for (let i = 1; i <= steps; i++) {
    const [previous, current] = [heights[i - 1] ?? y, heights[i] ?? y]
    const middle = (i - 0.5) * step
    d += `C${round(middle)} ${round(previous)} ${round(middle)} ${round(current)} ${round(i * step)} ${round(current)}`
  }
  return `<path d="${d}L${width} ${height}Z" fill="${fill}"/>`
}

/** Rows of overlapping rings, the traditional pattern of waves. */
export function waves(y: number, r: number, rows: number, colours: readonly string[], width = W): string {
  const rings = [1, 0.74, 0.48, 0.22]
  return many(rows, (row) =>
    many(Math.ceil(width / (2 * r)) + 2, (i) => {
      const cx = (i - 0.5) * 2 * r + (row % 2) * r
      const cy = y + row * r * 0.52
      return rings
        .map(
          (k, n) =>
            `<circle cx="${cx}" cy="${cy}" r="${round(r * k)}" fill="${colours[n % colours.length]}"/>`,
        )
        .join('')
    }).join(''),
  ).join('')
}

/** A rectangle with a vertical gradient. */
export function gradient(id: string, stops: readonly [number, string][], width = W, height = H): string {
  const inside = stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`).join('')
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${inside}</linearGradient><rect width="${width}" height="${height}" fill="url(#${id})"/>`
}

/** A circle of light around a point. */
export function glow(id: string, cx: number, cy: number, r: number, colour: string, strength = 0.8): string {
  return `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/><stop offset="0.4" stop-color="${colour}" stop-opacity="${strength * 0.35}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient><circle cx="${cx}" cy="${cy}" r="${r}" fill="url(#${id})"/>`
}

export function svg(inside: string, width = W, height = H): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inside}</svg>`
}
