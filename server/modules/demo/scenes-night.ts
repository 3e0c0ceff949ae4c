// Scenes of the night, with moon, snow, lanterns and fireworks.
import { glow, H, randomOf, ink, many, night, ridge, svg, W, gradient } from './draw.ts'

/** Bending pampas grass under the full moon. */
export function moonGrass(): string {
  const random = randomOf(21)
  const blades = many(34, (i) => {
    const x = 40 + i * 48 + random(-20, 20)
    const top = random(420, 800)
    const lean = random(60, 190)
    const plume = many(9, (n) => {
      const k = n / 8
      const px = x + lean * (0.72 + 0.28 * k)
      const py = top + 120 * (1 - k) + k * k * 20
      return `<ellipse cx="${px}" cy="${py}" rx="${26 - n * 1.6}" ry="9" transform="rotate(${-58 + n * 7} ${px} ${py})" fill="#e6d3ac" opacity="${0.5 + k * 0.35}"/>`
    }).join('')
    return `<path d="M${x} ${H}C${x} ${top + 340} ${x + lean * 0.4} ${top + 130} ${x + lean} ${top}" stroke="#8d8460" stroke-width="5" fill="none"/>${plume}`
  }).join('')
  const stars = many(
    60,
    () =>
      `<circle cx="${random(0, W)}" cy="${random(0, 600)}" r="${random(1, 2.6)}" fill="#e8e2d0" opacity="${random(0.3, 0.9)}"/>`,
  ).join('')
  return svg(
    gradient('n', [
      [0, night.deep],
      [0.6, night.mid],
      [1, '#55607a'],
    ]) +
      stars +
      glow('g', 1040, 400, 560, '#f3e6bf', 0.6) +
      `<circle cx="1040" cy="400" r="210" fill="#f5eccf"/><circle cx="985" cy="350" r="34" fill="#e9dcb6" opacity="0.6"/><circle cx="1110" cy="450" r="52" fill="#e9dcb6" opacity="0.5"/>` +
      ridge(randomOf(5), 960, 130, '#1d2636', { steps: 4 }) +
      blades,
  )
}

/** Snow on a harbour town at night. */
export function snowNight(): string {
  const random = randomOf(64)
  const house = (x: number, y: number, w: number, h: number, tone: string) => {
    const roof = `<path d="M${x - 22} ${y}L${x + w / 2} ${y - h * 0.5}L${x + w + 22} ${y}Z" fill="#eef1f2"/>`
    const windows = many(
      2,
      (i) =>
        `<rect x="${x + w * (0.2 + i * 0.38)}" y="${y + h * 0.3}" width="${w * 0.22}" height="${h * 0.32}" fill="${random(0, 1) > 0.28 ? '#f2c776' : '#2c3850'}"/>`,
    ).join('')
    return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${tone}"/>${windows}${roof}`
  }
  const row = (y: number, w: number, tone: string, n: number) =>
    many(n, (i) =>
      house(
        i * (W / n) + random(0, 30),
        y + random(-26, 26),
        w * random(0.8, 1.05),
        w * random(0.7, 0.95),
        tone,
      ),
    ).join('')
  const flakes = many(
    190,
    () =>
      `<circle cx="${random(0, W)}" cy="${random(0, H)}" r="${random(1.5, 6)}" fill="#fff" opacity="${random(0.35, 0.95)}"/>`,
  ).join('')
  return svg(
    gradient('y', [
      [0, '#1a2334'],
      [0.7, '#3b4b66'],
      [1, '#5d6d86'],
    ]) +
      ridge(randomOf(6), 620, 230, '#8b9ab0', { steps: 4 }) +
      row(660, 150, '#3a475f', 9) +
      row(800, 200, '#2b3750', 7) +
      ridge(randomOf(15), 1060, 70, '#e8edf0', { steps: 4 }) +
      flakes,
  )
}

function lantern(id: number, x: number, y: number, size: number, body: string): string {
  const ribs = many(
    6,
    (i) =>
      `<path d="M${-62 + Math.abs(i - 2.5) * 5} ${-60 + i * 24}h${124 - Math.abs(i - 2.5) * 10}" stroke="#7a2a1d" stroke-width="3" opacity="0.35"/>`,
  ).join('')
  return `${glow(`l${id}`, x, y, 300 * size, '#f7c98b', 0.75)}<g transform="translate(${x} ${y}) scale(${size})"><rect x="-30" y="-100" width="60" height="20" rx="4" fill="${ink}"/><ellipse rx="70" ry="84" fill="${body}"/><ellipse rx="40" ry="66" fill="#ffe3b0" opacity="0.55"/>${ribs}<rect x="-30" y="80" width="60" height="16" rx="4" fill="${ink}"/><path d="M0 96v46" stroke="${ink}" stroke-width="4"/></g>`
}

/** A street of lanterns on a festival evening. */
export function lanterns(): string {
  const random = randomOf(17)
  const rope = (y: number, sag: number) =>
    `<path d="M-20 ${y}Q800 ${y + sag * 2} 1620 ${y - 40}" stroke="#0d121c" stroke-width="5" fill="none"/>`
  const hang = (k: number, y: number, sag: number) => ({
    x: k * W,
    y: (1 - k) ** 2 * y + 2 * k * (1 - k) * (y + sag * 2) + k * k * (y - 40),
  })
  const row = (from: number, n: number, y: number, sag: number, size: number) =>
    many(n, (i) => {
      const at = hang((i + 0.6) / n, y, sag)
      return lantern(from + i, at.x, at.y + 118 * size, size, i % 3 === 1 ? '#f0d9ae' : '#d9553a')
    }).join('')
  const stars = many(
    46,
    () =>
      `<circle cx="${random(0, W)}" cy="${random(0, 520)}" r="${random(1, 2.4)}" fill="#f1e9d4" opacity="${random(0.3, 0.8)}"/>`,
  ).join('')
  const roofs = many(5, (i) => {
    const x = i * 340 - 60
    return `<path d="M${x - 30} ${980 - (i % 2) * 60}L${x + 170} ${880 - (i % 2) * 60}L${x + 370} ${980 - (i % 2) * 60}V${H}H${x - 30}Z" fill="#0f1522"/><rect x="${x + 110}" y="${1030 - (i % 2) * 40}" width="120" height="90" fill="#e0a45a" opacity="0.75"/>`
  }).join('')
  return svg(
    gradient('t', [
      [0, night.deep],
      [0.62, '#33405c'],
      [1, '#7d5a66'],
    ]) +
      stars +
      rope(150, 60) +
      row(0, 7, 150, 60, 0.62) +
      rope(380, 110) +
      row(20, 5, 380, 110, 1) +
      roofs,
  )
}

/** Fireworks over the bay and their reflection. */
export function fireworks(): string {
  const random = randomOf(93)
  const burst = (x: number, y: number, r: number, tone: string, n: number) =>
    many(n, (i) => {
      const a = (i / n) * 2 * Math.PI + random(-0.05, 0.05)
      const k = random(0.82, 1)
      const [cx, cy] = [Math.cos(a), Math.sin(a)]
      return `<path d="M${x + cx * r * 0.22} ${y + cy * r * 0.22}Q${x + cx * r * 0.7} ${y + cy * r * 0.7} ${x + cx * r * k} ${y + cy * r * k + r * 0.1}" stroke="${tone}" stroke-width="4.5" fill="none" stroke-linecap="round"/><circle cx="${x + cx * r * k}" cy="${y + cy * r * k + r * 0.1}" r="7" fill="#fff2d4"/>`
    }).join('')
  const glints = many(60, () => {
    const w = random(20, 150)
    return `<rect x="${random(200, 1400) - w / 2}" y="${random(880, 1190)}" width="${w}" height="4" rx="2" fill="${random(0, 1) > 0.4 ? '#e58f63' : '#e9cf96'}" opacity="${random(0.2, 0.7)}"/>`
  }).join('')
  return svg(
    gradient('f', [
      [0, '#10161f'],
      [0.7, '#22304a'],
      [0.71, '#131b29'],
      [1, '#0d131d'],
    ]) +
      glow('a', 620, 400, 520, '#d8553a', 0.35) +
      glow('b', 1150, 300, 400, '#d8ac5c', 0.3) +
      burst(620, 400, 320, '#e4674a', 38) +
      burst(620, 400, 180, '#f2b184', 26) +
      burst(1150, 300, 230, '#dfb766', 32) +
      burst(1010, 600, 120, '#b9c9cf', 22) +
      ridge(randomOf(4), 850, 90, '#0a0f17', { steps: 6 })
        .replace(`${H}Z`, '850Z')
        .replace(`M0 ${H}`, 'M0 850') +
      glints,
  )
}
