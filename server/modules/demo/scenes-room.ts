// Scenes of paper and rooms.
import { dusk, gold, H, ink, many, moss, sea, seal, svg, W, gradient } from './draw.ts'

/** Letters on a desk, one of them sealed. */
export function letters(): string {
  const envelope = (x: number, y: number, turn: number, tone: string, fold: string, sealed: boolean) =>
    `<g transform="translate(${x} ${y}) rotate(${turn})"><rect x="-268" y="-172" width="560" height="368" rx="6" fill="#8d7a66" opacity="0.22"/><rect x="-280" y="-190" width="560" height="370" rx="6" fill="${tone}"/><path d="M-280 180L-40 -10M280 180L40 -10" stroke="${fold}" stroke-width="4"/><path d="M-280 -190L0 30L280 -190Z" fill="${tone}" stroke="${fold}" stroke-width="4" stroke-linejoin="round"/>${sealed ? `<circle cy="22" r="52" fill="${seal}"/><circle cy="22" r="38" fill="none" stroke="#f3d9cf" stroke-width="3" opacity="0.8"/><path d="M-16 26L-4 38L20 8" stroke="#f7e7df" stroke-width="7" fill="none" stroke-linecap="round" stroke-linejoin="round"/>` : ''}</g>`
  const sprig = `<g transform="translate(1270 300) rotate(24)"><path d="M0 420C-10 260 10 120 0 -60" stroke="${moss.deep}" stroke-width="8" fill="none"/>${many(9, (i) => `<path d="M0 0C40 -30 92 -34 128 -12C96 16 40 20 0 0Z" transform="translate(0 ${360 - i * 50}) rotate(${i % 2 ? -34 : -146})" fill="${i % 3 ? moss.mid : moss.pale}"/>`).join('')}</g>`
  const pen = `<g transform="translate(300 960) rotate(-32)"><rect width="520" height="22" rx="11" fill="${ink}"/><path d="M520 0L600 11L520 22Z" fill="${gold}"/><rect x="150" width="12" height="22" fill="${gold}"/></g>`
  const grain = many(
    9,
    (i) =>
      `<path d="M0 ${i * 140 + 30}C500 ${i * 140 + 10} 1000 ${i * 140 + 60} 1600 ${i * 140 + 24}" stroke="#b99770" stroke-width="3" fill="none" opacity="0.35"/>`,
  ).join('')
  return svg(
    `<rect width="${W}" height="${H}" fill="#cfae86"/>` +
      grain +
      envelope(560, 420, -13, '#dfe4e0', '#bcc6c2', false) +
      envelope(900, 640, 7, '#fbf6ec', '#e2d7c4', true) +
      sprig +
      pen,
  )
}

/** Afternoon light on a wall, one branch in a vase. */
export function windowLight(): string {
  const panes = [0, 1]
    .flatMap((c) =>
      [0, 1, 2].map((r) => {
        const [x, y] = [330 + c * 300, 170 + r * 235]
        return `<path d="M${x} ${y}h268l-44 205h-268Z" fill="#fdf1d6" opacity="${0.95 - r * 0.12}"/>`
      }),
    )
    .join('')
  const twig = `<g stroke="#4a3a31" fill="none" stroke-linecap="round"><path d="M1130 770C1120 600 1180 520 1150 330C1140 260 1170 200 1220 150" stroke-width="11"/><path d="M1152 560C1220 500 1270 470 1350 450" stroke-width="7"/><path d="M1156 400C1100 350 1060 330 1000 320" stroke-width="7"/></g>`
  const buds = [
    [1220, 150],
    [1350, 450],
    [1000, 320],
    [1160, 300],
    [1270, 478],
    [1090, 344],
    [1146, 470],
    [1190, 220],
  ]
    .map(
      ([x = 0, y = 0], i) =>
        `<circle cx="${x}" cy="${y}" r="${i % 2 ? 17 : 24}" fill="${i % 3 ? '#e9c3bd' : seal}"/>`,
    )
    .join('')
  const vase = `<path d="M1085 760H1180C1176 800 1236 840 1236 920C1236 990 1190 1020 1132 1020C1074 1020 1028 990 1028 920C1028 840 1090 800 1085 760Z" fill="${sea.mid}"/><path d="M1060 900C1062 850 1092 820 1104 790" stroke="#9fb5c0" stroke-width="12" fill="none" stroke-linecap="round" opacity="0.7"/>`
  return svg(
    gradient('v', [
      [0, '#d9c8ae'],
      [1, '#cbb697'],
    ]) +
      panes +
      `<ellipse cx="1260" cy="1028" rx="240" ry="26" fill="#8d7657" opacity="0.35"/><rect y="1010" width="${W}" height="200" fill="#9a7b5b"/><rect y="1010" width="${W}" height="12" fill="#b5946f"/><ellipse cx="1170" cy="1030" rx="190" ry="18" fill="#5d4632" opacity="0.35"/>` +
      twig +
      buds +
      vase,
  )
}

/** A bowl of tea with steam, on a mat. */
export function tea(): string {
  const mat = many(
    40,
    (i) => `<path d="M0 ${690 + i * 13}H1600" stroke="#a9a878" stroke-width="3" opacity="0.5"/>`,
  ).join('')
  const steam = [
    [720, 0],
    [800, 40],
    [880, -10],
  ]
    .map(
      ([x = 0, d = 0]) =>
        `<path d="M${x} ${560 + d * 0.2}C${x - 70} ${460 + d} ${x + 70} ${390 + d} ${x - 10} ${270 + d}C${x - 50} ${210 + d} ${x + 20} ${170 + d} ${x} ${110 + d}" stroke="#fffaf0" stroke-width="16" fill="none" opacity="0.55" stroke-linecap="round"/>`,
    )
    .join('')
  const bowl = `<ellipse cx="820" cy="985" rx="360" ry="50" fill="#6f6a48" opacity="0.4"/><path d="M490 630C490 850 600 970 800 970C1000 970 1110 850 1110 630Z" fill="#2f3b42"/><path d="M520 740C560 720 610 760 660 735C720 708 780 760 840 735C900 712 960 760 1020 735C1050 722 1075 735 1094 742C1100 705 1110 670 1110 630H490C490 670 504 706 520 740Z" fill="#44555d"/><ellipse cx="800" cy="630" rx="310" ry="86" fill="#26313a"/><ellipse cx="800" cy="640" rx="276" ry="68" fill="#8a9a4e"/><ellipse cx="760" cy="630" rx="150" ry="30" fill="#a9b56b" opacity="0.8"/><path d="M660 960h280l-20 40H680Z" fill="#26313a"/>`
  const sweet = `<g transform="translate(1310 900)"><ellipse cy="42" rx="150" ry="30" fill="#efe5d2"/><circle r="70" fill="#f3d3d0"/><path d="M-50 -20C-20 -50 20 -50 50 -20" stroke="#dc9a98" stroke-width="7" fill="none"/><circle cy="-14" r="13" fill="${seal}"/></g>`
  return svg(
    gradient('c', [
      [0, '#e6dcc6'],
      [0.56, '#d9ccae'],
      [0.57, '#c6c494'],
      [1, '#b4b27e'],
    ]) +
      mat +
      `<rect y="676" width="${W}" height="16" fill="#4b5536"/>` +
      steam +
      bowl +
      sweet,
  )
}

/** Paper cranes in the colours of `draw.ts`. */
export function foldedPaper(): string {
  const crane = (x: number, y: number, size: number, turn: number, a: string, b: string, c: string) =>
    `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})"><path d="M0 60L-210 -90L-60 90Z" fill="${b}"/><path d="M0 60L210 -130L70 96Z" fill="${a}"/><path d="M-60 90L0 -20L70 96L0 170Z" fill="${c}"/><path d="M0 -20L70 96L0 170Z" fill="${b}"/><path d="M-56 92L-250 40L-300 70L-238 62L-40 130Z" fill="${a}"/><path d="M62 96L240 150L60 132Z" fill="${c}"/></g>`
  const shadow = (x: number, y: number, size: number) =>
    `<ellipse cx="${x}" cy="${y + 190 * size}" rx="${260 * size}" ry="${26 * size}" fill="#b8a88e" opacity="0.4"/>`
  const sheets = `<g opacity="0.9"><rect x="120" y="120" width="380" height="380" fill="#e8dcc6" transform="rotate(-9 310 310)"/><rect x="1120" y="120" width="330" height="330" fill="${dusk.apricot}" opacity="0.55" transform="rotate(12 1285 285)"/><rect x="1090" y="800" width="300" height="300" fill="${sea.mist}" transform="rotate(-6 1240 950)"/></g>`
  return svg(
    gradient('p', [
      [0, '#f5eee1'],
      [1, '#e9dec9'],
    ]) +
      sheets +
      shadow(800, 560, 1.5) +
      crane(800, 560, 1.5, -4, seal, '#a93024', '#e0634c') +
      shadow(330, 860, 0.9) +
      crane(330, 860, 0.9, 6, sea.mid, sea.deep, sea.pale) +
      shadow(1270, 790, 0.75) +
      crane(1270, 790, 0.75, -8, '#fffaf0', '#d8ccb6', '#f1e8d8'),
  )
}
