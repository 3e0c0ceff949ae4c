// The tables of `docs/operate/capacity.md` that follow from the model, as Markdown.
import { measured } from './measured.ts'
import {
  costOf,
  needsOf,
  oneMachine,
  type Resource,
  resources,
  type UnitName,
  unitNames,
  usualHabits,
  wallsOf,
} from './model.ts'

const whole = (value: number) => Math.round(value).toLocaleString('en')

const formats: Readonly<Record<Resource, (value: number) => string>> = {
  'cores of servers': (it) => it.toFixed(1),
  'cores of PostgreSQL': (it) => it.toFixed(1),
  'cores of workers': (it) => it.toFixed(1),
  'memory of servers': (it) => `${(it / 1e9).toFixed(1)} GB`,
  line: (it) => `${((it * 8) / 1e9).toFixed(2)} Gbit/s`,
  'store, one year': (it) => `${(it / 1e12).toFixed(1)} TB`,
}

/** The unit's name in formulas. */
const plural: Readonly<Record<UnitName, string>> = {
  page: 'pages',
  post: 'posts',
  like: 'likes',
  comment: 'comments',
  message: 'messages',
  read: 'read marks',
  file: 'files',
}

const terms = (of: (name: UnitName) => number) =>
  unitNames.map((name) => `${plural[name]} × ${of(name)} ms`).join(' + ')

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Rows of the formulas whose figures are measured. */
export function formulaRows(): readonly string[] {
  const { idle, frame, uploadedMegabyte, video, videoSecond, connection, server } = measured
  const more = `frames × ${frame.server} ms + uploaded MB × ${uploadedMegabyte.server} ms`
  const ofVideo = `videos × ${video.worker} ms + seconds × ${videoSecond.steps} ms`
  const kilobytes = `${connection.process / 1000} kB + ${connection.kernel / 1000} kB`
  return [
    row([
      'cores of servers: Node',
      `${idle.server} ms + ${terms((name) => measured[name].server)} + ${more}`,
    ]),
    row(['cores of servers: nginx', terms((name) => measured[name].proxy)]),
    row(['cores of PostgreSQL', `${idle.database} ms + ${terms((name) => measured[name].database)}`]),
    row([
      'cores of workers',
      `${ofVideo} + encoded seconds × ${videoSecond.encoded} ms, as means of the day: videos may wait for the night`,
    ]),
    row(['memory of servers', `${server / 1e6} MB + open connections × (${kilobytes})`]),
  ]
}

/** People with whom each resource of one machine ends, the first one first. */
export const wallRows = (): readonly string[] =>
  wallsOf(oneMachine, usualHabits).map(({ resource, people }) => row([whole(people), resource]))

/** Needs at the busiest second, and prices of a month, for each number of people. */
export function sizeRows(sizes: readonly number[]): readonly string[] {
  const costs = sizes.map((size) => costOf(size, usualHabits))
  return [
    row(['people', ...sizes.map(whole)]),
    `|---|${sizes.map(() => '---|').join('')}`,
    ...resources.map((it) => row([it, ...sizes.map((size) => formats[it](needsOf(size, usualHabits)[it]))])),
    ...(['cores', 'memory', 'store', 'line'] as const).map((part) =>
      row([`¥ a month, ${part}`, ...costs.map((it) => whole(it[part]))]),
    ),
  ]
}
