// Pictures that show their own orientation, size and order, for fixtures.
import sharp, { type Sharp } from 'sharp'

/** Width and height of the chart, px. */
export const CHART = { width: 320, height: 240 } as const

/** An F, which looks different in each of the eight orientations; as a path, since a machine may have no fonts. */
const letter = 'M130 60h70v24h-44v30h36v24h-36v46h-26z'

/** Red and green above, blue and white below, with a black F. Without its background it is transparent where it is white. */
export const chartSvg = (isTransparent = false): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240">
<path fill="#d33" d="M0 0h160v120H0z"/><path fill="#2a2" d="M160 0h160v120H160z"/><path fill="#24d" d="M0 120h160v120H0z"/>
${isTransparent ? '' : '<path fill="#fff" d="M160 120h160v120H160z"/>'}<path d="${letter}"/></svg>`)

/** The chart without transparency. */
export const chart = (): Sharp => sharp(chartSvg()).removeAlpha()

/** Seven segments of each digit: top, upper left, upper right, middle, lower left, lower right, bottom. */
const digits = [119, 36, 93, 109, 46, 107, 123, 37, 127, 111]
const segments = [
  'M4 0h24v6H4z',
  'M0 4h6v22H0z',
  'M26 4h6v22h-6z',
  'M4 25h24v6H4z',
  'M0 30h6v22H0z',
  'M26 30h6v22h-6z',
  'M4 50h24v6H4z',
]

/** A number in seven segments, 40 px for each digit. */
function numberAt(value: number, x: number, y: number): string {
  return Array.from(String(value))
    .map((digit, i) => {
      const lit = segments.filter((_, bit) => ((digits[Number(digit)] ?? 0) >> bit) & 1)
      return `<path transform="translate(${x + i * 40} ${y})" d="${lit.join('')}"/>`
    })
    .join('')
}

/** Long pictures are drawn smaller and then enlarged, which takes a tenth of the time. */
const SCALE = 4

interface Size {
  readonly width: number
  readonly height: number
}

/** A strip or a panorama of numbered panels, each as long as the shorter side permits. */
export function panels(size: Size, count: number): Sharp {
  return sharp(panelsSvg(size, count)).resize({ ...size, fit: 'fill', kernel: 'nearest' })
}

function panelsSvg({ width, height }: Size, count: number): Buffer {
  const isStrip = height > width
  const [stepX, stepY] = isStrip ? [0, height / count] : [width / count, 0]
  const [w, h] = isStrip ? [width, stepY] : [stepX, height]
  const hue = (i: number) => `hsl(${(i * 47) % 360} 60% 80%)`
  const drawn = Array.from({ length: count }, (_, i) => {
    const [x, y] = [i * stepX, i * stepY]
    return `<path fill="${hue(i)}" d="M${x} ${y}h${w}v${h}h${-w}z"/>${numberAt(i + 1, x + 40, y + 30)}`
  })
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width / SCALE}" height="${height / SCALE}" viewBox="0 0 ${width} ${height}">${drawn.join('')}</svg>`,
  )
}
