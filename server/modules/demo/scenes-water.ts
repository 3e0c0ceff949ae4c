// Scenes with water or rain.
import {
  glow,
  H,
  randomOf,
  ink,
  many,
  moss,
  paper,
  ridge,
  sea,
  seal,
  svg,
  W,
  gradient,
  waves,
} from './draw.ts'

/** Sunrise at sea with a paper boat. `t`, from 0 to 1, moves the water and the boat. */
export function morningSea(t = 0): string {
  const sway = Math.sin(t * 2 * Math.PI)
  const glints = many(26, (i) => {
    const random = randomOf(40 + i)
    const y = 650 + i * 9 + random(0, 6)
    const width = random(30, 190) * (0.55 + i / 26) * (0.75 + 0.25 * Math.sin(t * 2 * Math.PI + i))
    const x = 800 + random(-150, 150) * (0.4 + i / 26) + sway * 8
    return `<rect x="${x - width / 2}" y="${y}" width="${width}" height="4" rx="2" fill="#f6c9a3" opacity="${0.75 - i * 0.016}"/>`
  }).join('')
  const far = `<rect y="640" width="${W}" height="${H}" fill="${sea.pale}"/><rect y="700" width="${W}" height="${H}" fill="#6d8da0"/>`
  const front = `<g transform="translate(${sway * 26} ${sway * 5})">${waves(985, 120, 5, [sea.deep, sea.mid, sea.deep, '#5d7b92'], W + 300)}</g>`
  const boat = `<g transform="translate(${1130 + sway * 16} ${842 + Math.cos(t * 2 * Math.PI) * 6}) rotate(${sway * 2.2})"><path d="M-110 0L110 0L66 62L-66 62Z" fill="#fffdf8"/><path d="M-64 0L0 -92L64 0Z" fill="#f3ece0"/><path d="M0 -92L64 0L0 0Z" fill="#e0d6c6"/><path d="M-110 0L0 0L-66 62Z" fill="#f3ece0"/></g>`
  const mist = `<rect y="600" width="${W}" height="60" fill="#f3dcc3" opacity="0.5"/>`
  return svg(
    gradient('s', [
      [0, '#f4ead9'],
      [0.3, '#f3dcc0'],
      [0.54, '#eab893'],
    ]) +
      glow('g', 800, 620, 520, '#fbe3c4', 0.9) +
      `<circle cx="800" cy="610" r="170" fill="${seal}"/>` +
      ridge(randomOf(3), 640, 70, '#c9a795', { steps: 5 }) +
      mist +
      far +
      glints +
      boat +
      front,
  )
}

function blossom(x: number, y: number, r: number, turn: number, colour: string): string {
  const petals = many(
    5,
    (i) =>
      `<path d="M0 0C${r * 0.62} ${-r * 0.3} ${r * 0.6} ${-r} ${r * 0.12} ${-r}L0 ${-r * 0.86}L${-r * 0.12} ${-r}C${-r * 0.6} ${-r} ${-r * 0.62} ${-r * 0.3} 0 0Z" transform="rotate(${i * 72})"/>`,
  ).join('')
  return `<g transform="translate(${x} ${y}) rotate(${turn})" fill="${colour}">${petals}<circle r="${r * 0.16}" fill="${seal}" opacity="0.75"/></g>`
}

/** Positions of the flowers on the branch. */
const spots: readonly [number, number][] = [
  [360, 190],
  [470, 250],
  [590, 320],
  [690, 380],
  [800, 330],
  [880, 500],
  [960, 290],
  [1080, 330],
  [1180, 400],
  [1300, 440],
  [1260, 230],
  [1400, 215],
  [540, 70],
  [440, 110],
  [740, 430],
  [640, 290],
  [1130, 260],
  [220, 170],
  [900, 330],
  [1010, 320],
]

/** A cherry branch over still water, with falling petals. */
export function blossoms(): string {
  const random = randomOf(12)
  const branch = `<g stroke="#4a3832" fill="none" stroke-linecap="round"><path d="M-20 170C320 190 520 330 860 300C1080 280 1200 190 1420 210" stroke-width="26"/><path d="M520 290C640 400 760 430 900 520" stroke-width="13"/><path d="M980 290C1120 350 1180 420 1330 450" stroke-width="11"/><path d="M300 205C380 120 470 90 560 40" stroke-width="12"/></g>`
  const tones = ['#f6dcd8', '#f1c9c6', '#fbeae6', '#ecbcbb']
  const flowers = spots
    .flatMap(([x, y]) =>
      many(3, () =>
        blossom(
          x + random(-62, 62),
          y + random(-52, 52),
          random(32, 56),
          random(0, 72),
          tones[Math.floor(random(0, 4))] ?? '#fff',
        ),
      ),
    )
    .join('')
  const petals = many(30, () => {
    const [x, y] = [random(0, W), random(470, 1150)]
    return `<ellipse cx="${x}" cy="${y}" rx="14" ry="8" transform="rotate(${random(0, 180)} ${x} ${y})" fill="#f1c6c4" opacity="${random(0.5, 1)}"/>`
  }).join('')
  const rings = [
    [420, 980, 150],
    [1150, 1060, 210],
    [800, 900, 80],
  ]
    .flatMap(([x = 0, y = 0, r = 0]) =>
      [1, 0.66, 0.33].map(
        (k) =>
          `<ellipse cx="${x}" cy="${y}" rx="${r * k}" ry="${r * k * 0.22}" fill="none" stroke="#fffaf2" stroke-width="3" opacity="0.7"/>`,
      ),
    )
    .join('')
  return svg(
    gradient('b', [
      [0, '#dfe7e4'],
      [0.62, '#f4efe4'],
      [0.66, '#b9cbc8'],
      [1, '#8eaaae'],
    ]) +
      rings +
      branch +
      flowers +
      petals,
  )
}

/** Goldfish from above, in a bowl of pale water. */
export function goldfish(): string {
  const random = randomOf(77)
  const fish = (x: number, y: number, turn: number, size: number, body: string, light: string) =>
    `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})"><path d="M-90 0C-150 -64 -210 -70 -236 -40C-206 -26 -196 -8 -210 0C-196 8 -206 26 -236 40C-210 70 -150 64 -90 0Z" fill="${light}" opacity="0.85"/><path d="M20 -40C-10 -100 -50 -104 -70 -92C-56 -70 -50 -50 -34 -36ZM20 40C-10 100 -50 104 -70 92C-56 70 -50 50 -34 36Z" fill="${light}" opacity="0.8"/><path d="M118 0C112 -42 60 -58 0 -48C-50 -40 -88 -18 -110 0C-88 18 -50 40 0 48C60 58 112 42 118 0Z" fill="${body}"/><path d="M60 -34C20 -30 -30 -20 -60 0C-20 -6 30 -10 64 -12Z" fill="#fff" opacity="0.35"/><circle cx="92" cy="-22" r="7" fill="${ink}"/><circle cx="92" cy="22" r="7" fill="${ink}"/></g>`
  const rings = [
    [360, 330, 240],
    [1180, 820, 320],
    [760, 620, 130],
  ]
    .flatMap(([x = 0, y = 0, r = 0]) =>
      [1, 0.78, 0.5].map(
        (k) =>
          `<circle cx="${x}" cy="${y}" r="${r * k}" fill="none" stroke="#ffffff" stroke-width="5" opacity="${0.6 * k}"/>`,
      ),
    )
    .join('')
  const shade = (x: number, y: number, turn: number, size: number) =>
    `<ellipse cx="${x + 46}" cy="${y + 70}" rx="${170 * size}" ry="${54 * size}" transform="rotate(${turn} ${x + 46} ${y + 70})" fill="#5e8587" opacity="0.28"/>`
  const weed = many(5, (i) => {
    const [x, y] = [1330 + i * 52 + random(-20, 20), 40 + random(0, 190)]
    return `<ellipse cx="${x}" cy="${y}" rx="74" ry="62" fill="${i % 2 ? moss.mid : moss.pale}"/><path d="M${x} ${y}L${x + 60} ${y - 40}" stroke="${paper}" stroke-width="4" opacity="0.5"/>`
  }).join('')
  return svg(
    gradient('w', [
      [0, '#cfe0da'],
      [1, '#a6c4c2'],
    ]) +
      rings +
      shade(560, 470, 28, 1.25) +
      shade(1010, 720, -140, 1) +
      shade(520, 900, -20, 0.8) +
      fish(560, 470, 28, 1.35, seal, '#e77a5f') +
      fish(1010, 720, -140, 1.1, '#fbf5ea', '#efe2cf') +
      fish(520, 900, -20, 0.9, '#dd6a45', '#eb9a72') +
      weed,
  )
}

/** Umbrellas from above in the rain. */
export function umbrellas(): string {
  const random = randomOf(88)
  const top = (x: number, y: number, r: number, tone: string, line: string) =>
    `<circle cx="${x + 22}" cy="${y + 34}" r="${r}" fill="#1d2836" opacity="0.25"/><circle cx="${x}" cy="${y}" r="${r}" fill="${tone}"/>${many(16, (i) => `<path d="M${x} ${y}L${x + r * Math.cos((i * Math.PI) / 8)} ${y + r * Math.sin((i * Math.PI) / 8)}" stroke="${line}" stroke-width="4"/>`).join('')}<circle cx="${x}" cy="${y}" r="${r * 0.72}" fill="none" stroke="${line}" stroke-width="${r * 0.09}" opacity="0.7"/><circle cx="${x}" cy="${y}" r="${r * 0.1}" fill="${ink}"/>`
  const rain = many(120, () => {
    const [x, y] = [random(0, W), random(0, H)]
    return `<path d="M${x} ${y}l-14 46" stroke="#eef3f3" stroke-width="3" opacity="${random(0.25, 0.7)}" stroke-linecap="round"/>`
  }).join('')
  const stones = many(8, (r) =>
    many(
      9,
      (c) =>
        `<rect x="${c * 200 - (r % 2) * 100 + 6}" y="${r * 152 + 6}" width="188" height="140" rx="10" fill="${(r + c) % 3 ? '#8e9ba1' : '#98a5aa'}"/>`,
    ).join(''),
  ).join('')
  return svg(
    `<rect width="${W}" height="${H}" fill="#7f8d94"/>` +
      stones +
      top(560, 480, 300, seal, '#f0cdbf') +
      top(1130, 800, 240, '#f3ead8', '#cdbd9f') +
      top(1240, 270, 170, sea.deep, '#6f8ba0') +
      rain,
  )
}
