// Scenes of hills, fields and trees.
import { glow, gold, H, randomOf, ink, many, moss, paper, ridge, svg, W, gradient } from './draw.ts'

/** Ridges of hills in mist, with a moon by day. */
export function mistyHills(seed = 7): string {
  const tones = ['#d3d8cf', '#b7c2b8', '#93a399', '#6f8379', '#4c6058', '#2f413c']
  const ridges = tones
    .map((tone, i) => {
      const y = 560 + i * 118
      const veil = `<linearGradient id="h${i}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${paper}" stop-opacity="0"/><stop offset="1" stop-color="${paper}" stop-opacity="${0.5 - i * 0.06}"/></linearGradient><rect y="${y - 150}" width="${W}" height="290" fill="url(#h${i})"/>`
      return ridge(randomOf(seed + i * 3), y, 230 - i * 12, tone, { steps: 6 + (i % 3) }) + veil
    })
    .join('')
  const birds = [
    [1010, 330],
    [1075, 300],
    [1120, 345],
    [955, 372],
  ]
    .map(
      ([x, y]) =>
        `<path d="M${x} ${y}q14 -14 24 0q10 -14 24 0" stroke="${ink}" stroke-width="4" fill="none" stroke-linecap="round"/>`,
    )
    .join('')
  return svg(
    gradient('m', [
      [0, '#dfe5e0'],
      [0.45, '#f1ece0'],
      [1, '#e8dfcf'],
    ]) +
      `<circle cx="420" cy="290" r="104" fill="#fbf7ee"/>` +
      ridges +
      birds,
  )
}

/** A large summer cloud over a field. */
export function summerCloud(): string {
  const random = randomOf(9)
  const puff = (x: number, y: number, r: number, tone: string) =>
    `<circle cx="${x}" cy="${y}" r="${r}" fill="${tone}"/>`
  const cloud = [
    ['#dfe3e0', 26],
    ['#f7f3ea', 0],
  ] as const
  const heap = cloud
    .map(
      ([tone, drop]) =>
        many(26, (i) => {
          const level = i / 26
          const spread = 360 * (1 - level * 0.72)
          return puff(
            900 + random(-spread, spread),
            800 - level * 520 + drop,
            random(90, 150) * (1 - level * 0.3),
            tone,
          )
        }).join('') + `<rect x="480" y="${780 + drop}" width="840" height="150" rx="75" fill="${tone}"/>`,
    )
    .join('')
  const rows = many(
    9,
    (i) =>
      `<path d="M${-200 + i * 60} ${H}L${620 + i * 42} 905" stroke="#7d8f56" stroke-width="${16 - i}" opacity="0.55"/><path d="M${W + 200 - i * 60} ${H}L${1000 - i * 42} 905" stroke="#7d8f56" stroke-width="${16 - i}" opacity="0.55"/>`,
  ).join('')
  const pole = `<g stroke="${ink}" stroke-width="9" fill="none"><path d="M260 1000V330M200 380H320M210 430H310"/><path d="M-20 330C80 400 160 400 200 380M320 380C700 560 1200 560 1640 420" stroke-width="3.5"/><path d="M310 430C700 620 1200 620 1640 480" stroke-width="3.5"/></g>`
  return svg(
    gradient('u', [
      [0, '#5f93b0'],
      [0.5, '#9dc3cb'],
      [0.76, '#dfe9df'],
    ]) +
      heap +
      ridge(randomOf(2), 930, 90, moss.deep, { steps: 6 }) +
      `<rect y="905" width="${W}" height="300" fill="#96a566"/>` +
      rows +
      pole,
  )
}

/** Round autumn trees beside a light path. */
export function autumn(): string {
  const random = randomOf(31)
  const tones = ['#b5482f', '#cf7a3a', '#dba24c', '#9c3b2e', '#c5603a', '#8a7a45']
  const tree = (x: number, y: number, r: number, tone: string) =>
    `<path d="M${x} ${y + r * 1.7}V${y}" stroke="#4a372e" stroke-width="${r * 0.11}"/><circle cx="${x}" cy="${y}" r="${r}" fill="${tone}"/><path d="M${x} ${y + r * 0.7}L${x} ${y - r * 0.5}M${x} ${y + r * 0.3}L${x + r * 0.4} ${y - r * 0.15}M${x} ${y + r * 0.1}L${x - r * 0.36} ${y - r * 0.3}" stroke="#4a372e" stroke-width="${r * 0.045}" opacity="0.55" fill="none"/>`
  const row = (y: number, r: number, n: number, fade: number) =>
    `<g opacity="${fade}">${many(n, (i) => tree((i + 0.5) * (W / n) + random(-40, 40), y + random(-40, 40), r * random(0.78, 1.2), tones[Math.floor(random(0, tones.length))] ?? gold)).join('')}</g>`
  const leaves = many(
    40,
    () =>
      `<circle cx="${random(0, W)}" cy="${random(960, 1190)}" r="${random(5, 12)}" fill="${tones[Math.floor(random(0, 5))]}" opacity="0.9"/>`,
  ).join('')
  return svg(
    gradient('a', [
      [0, '#f1e3c8'],
      [0.7, '#efd5ac'],
      [1, '#d9b482'],
    ]) +
      ridge(randomOf(8), 640, 190, '#dcc09a', { steps: 5 }) +
      row(600, 84, 11, 0.55) +
      row(700, 118, 8, 0.8) +
      `<path d="M620 1200C720 1000 840 960 800 860C790 830 830 830 840 860C900 960 1000 1010 1160 1200Z" fill="#f6ead2"/>` +
      row(800, 150, 5, 1) +
      leaves,
  )
}

/** Bamboo stems with light between them. */
export function bamboo(): string {
  const random = randomOf(54)
  const stem = (x: number, w: number, tone: string, joint: string) =>
    `<rect x="${x}" y="-10" width="${w}" height="${H + 20}" fill="${tone}"/><rect x="${x + w * 0.16}" y="-10" width="${w * 0.14}" height="${H + 20}" fill="#fff" opacity="0.16"/>${many(6, (i) => `<rect x="${x - 3}" y="${i * 230 + ((x * 7) % 190)}" width="${w + 6}" height="9" rx="4" fill="${joint}"/>`).join('')}`
  const layer = (n: number, w: number, tone: string, joint: string) =>
    many(n, (i) => stem((i + random(0.1, 0.8)) * (W / n), w * random(0.8, 1.2), tone, joint)).join('')
  const leaves = many(46, () => {
    const [x, y] = [random(0, W), random(0, 620)]
    return `<path d="M0 0C24 -16 80 -18 118 0C80 14 24 12 0 0Z" transform="translate(${x} ${y}) rotate(${random(20, 150)})" fill="${random(0, 1) > 0.5 ? '#6f8a53' : '#8fa468'}" opacity="0.9"/>`
  }).join('')
  return svg(
    gradient('k', [
      [0, '#eef0d6'],
      [0.6, '#cfd9ae'],
      [1, '#9fb07c'],
    ]) +
      glow('g', 860, 380, 620, '#fffbe2', 0.95) +
      layer(13, 30, '#b4c18c', '#98a772') +
      layer(8, 52, '#87a062', '#6c854b') +
      layer(4, 84, '#587845', '#41602f') +
      leaves,
  )
}
