// Round emblems for the demo people's avatars.
import { gold, ink, moss, night, paper, sea, seal, svg } from './draw.ts'

const S = 512
const on = (ground: string, inside: string) =>
  svg(`<rect width="${S}" height="${S}" fill="${ground}"/>${inside}`, S, S)

/** The sun rising behind two waves. */
export const sunEmblem = () =>
  on(
    '#f1d3b0',
    `<circle cx="256" cy="250" r="112" fill="${seal}"/><path d="M-20 300C80 250 150 350 256 300C362 250 432 350 532 300V532H-20Z" fill="${sea.mid}"/><path d="M-20 380C80 330 150 430 256 380C362 330 432 430 532 380V532H-20Z" fill="${sea.deep}"/>`,
  )

/** A folded letter. */
export const letterEmblem = () =>
  on(
    sea.mist,
    `<g transform="rotate(-8 256 256)"><rect x="106" y="160" width="300" height="200" rx="6" fill="#fffaf0"/><path d="M106 160L256 276L406 160Z" fill="#f1e7d5"/><circle cx="256" cy="272" r="32" fill="${seal}"/></g>`,
  )

/** A mountain with snow. */
export const mountainEmblem = () =>
  on(
    '#e4e3d2',
    `<path d="M40 400L256 120L472 400Z" fill="${moss.deep}"/><path d="M256 120L336 224L296 210L262 246L226 208L178 222Z" fill="${paper}"/><path d="M-10 400H522V522H-10Z" fill="${moss.mid}"/>`,
  )

/** A lit lantern. */
export const lanternEmblem = () =>
  on(
    night.mid,
    `<circle cx="256" cy="262" r="190" fill="#f0c27e" opacity="0.18"/><rect x="216" y="112" width="80" height="26" rx="5" fill="#0e1420"/><ellipse cx="256" cy="256" rx="104" ry="126" fill="#d9553a"/><ellipse cx="256" cy="256" rx="58" ry="98" fill="#ffdfa8" opacity="0.6"/><rect x="216" y="372" width="80" height="24" rx="5" fill="#0e1420"/>`,
  )

/** One leaf. */
export const leafEmblem = () =>
  on(
    '#e9ddc3',
    `<g transform="rotate(28 256 256)"><path d="M256 80C380 170 380 330 256 430C132 330 132 170 256 80Z" fill="#b9532f"/><path d="M256 110V470M256 220L324 178M256 290L334 244M256 220L188 178M256 290L178 244" stroke="#f1dcc0" stroke-width="9" fill="none" stroke-linecap="round"/></g>`,
  )

/** The moon over grass. */
export const moonEmblem = () =>
  on(
    night.deep,
    `<circle cx="286" cy="210" r="110" fill="#f3e8c6"/><g stroke="${gold}" stroke-width="10" fill="none" stroke-linecap="round"><path d="M100 512C110 400 140 330 210 290"/><path d="M170 512C180 430 210 380 270 350"/><path d="M250 512C262 450 300 410 352 396"/></g>`,
  )

/** A cup with steam. */
export const cupEmblem = () =>
  on(
    '#d9d2b0',
    `<path d="M136 250H376C376 350 330 402 256 402C182 402 136 350 136 250Z" fill="${ink}"/><ellipse cx="256" cy="250" rx="120" ry="34" fill="${moss.mid}"/><path d="M226 190C200 150 250 130 226 90M286 190C260 150 310 130 286 90" stroke="#fffaf0" stroke-width="13" fill="none" stroke-linecap="round"/>`,
  )
