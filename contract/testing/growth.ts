// Measures how the time of a parser grows with its input. For tests.

/** How many times as long as the short input the long one is. */
const RATIO = 16
/** Size of the long input, UTF-16 units. Texts of 64 KiB are allocated one by one, so that memory decides the time. */
const LONG = 8 * 1024
/** Largest factor by which the time may grow from the short to the long input; a quadratic parser has 256. */
export const LINEAR = 64
/** A first look with a small input, so that an exponential parser ends the measurement and not the runner. */
const SMALL = 1024
/** Longest time of a small input, ms. */
const SMALL_MS = 200
/** Longest time of the long input, ms: hundreds of times what the slowest parser here needs. */
const LARGE_MS = 2000
/** Below this time for the long input, growth is noise, ms. */
const FAST_MS = 0.1
/** One measurement repeats the call until it has taken this, ms. */
const LEAST_MS = 4
/** Fewest and most measurements of a factor, and how long they may take together, ms: other programs disturb some. */
const ROUNDS = { least: 3, most: 40, together: 4000 }
/** Tries of a first look. */
const LOOKS = 3
/** Measurements of a text between the short and the long one. */
const MIDDLE_ROUNDS = 10

type Parser = (text: string) => unknown

async function timeOf(parse: Parser, text: string, repeats: number): Promise<number> {
  const began = performance.now()
  for (let i = 0; i < repeats; i++) {
    try {
      await parse(text)
    } catch {
      // A refusal is a result too: only its time matters.
    }
  }
  // oxlint-disable-next-line house/no-sleep-in-tests -- a measurement, of which only ratios within one run are compared
  return (performance.now() - began) / repeats
}

const ofSize = (characters: string, size: number) =>
  characters.repeat(Math.ceil(size / characters.length)).slice(0, size)

/**
 * By which factor the time grows from a short to a long text of these characters; 0 when the long one takes next to no time.
 * Each time is the smallest of up to forty interleaved measurements, which end as soon as the factor is small enough.
 * Processor time would be a better measure, but kernels update that of a running thread only at their ticks.
 * @param size of the long text, UTF-16 units: calls with a fixed cost need longer ones
 * @returns the factor; infinity when one KiB takes longer than 0.2 s, or the long input longer than 2 s
 */
export async function growthOf(parse: Parser, characters: string, size = LONG): Promise<number> {
  if (!(await isFastWhenSmall(parse, ofSize(characters, SMALL)))) return Number.POSITIVE_INFINITY
  const [short, long] = [ofSize(characters, size / RATIO), ofSize(characters, size)]
  let first = Number.POSITIVE_INFINITY
  for (let n = 0; n < LOOKS && first >= FAST_MS; n++) first = Math.min(first, await timeOf(parse, long, 1))
  if (first < FAST_MS) return 0
  if (first > LARGE_MS) return Number.POSITIVE_INFINITY
  const repeats = Math.max(1, Math.ceil(LEAST_MS / first))
  let [least, leastOfLong] = [Number.POSITIVE_INFINITY, first]
  const rounds = Math.min(
    ROUNDS.most,
    Math.max(ROUNDS.least, Math.round(ROUNDS.together / (repeats * first))),
  )
  for (let round = 1; round <= rounds; round++) {
    least = Math.min(least, await timeOf(parse, short, repeats * RATIO))
    leastOfLong = Math.min(leastOfLong, await timeOf(parse, long, repeats))
    // The first look was slow because of other programs or uncompiled code.
    if (leastOfLong < FAST_MS) return 0
    // A single disturbed measurement of the short input would make every parser linear.
    if (round >= ROUNDS.least && leastOfLong / least <= LINEAR) return leastOfLong / least
  }
  return steadyGrowth(parse, ofSize(characters, size / Math.sqrt(RATIO)), { least, leastOfLong, repeats })
}

/**
 * The growth that both halves of the way show, from the short text to one in between and from there to the long one. A
 * parser that returns early for a short text has one large step; a quadratic one grows by the same factor in both.
 */
async function steadyGrowth(
  parse: Parser,
  middle: string,
  { least, leastOfLong, repeats }: { least: number; leastOfLong: number; repeats: number },
): Promise<number> {
  let leastOfMiddle = Number.POSITIVE_INFINITY
  for (let round = 0; round < MIDDLE_ROUNDS; round++)
    leastOfMiddle = Math.min(leastOfMiddle, await timeOf(parse, middle, repeats * Math.sqrt(RATIO)))
  return Math.min(leastOfLong / leastOfMiddle, leastOfMiddle / least) ** 2
}

async function isFastWhenSmall(parse: Parser, text: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) if ((await timeOf(parse, text, 1)) <= SMALL_MS) return true
  return false
}

/** What makes parsers slow: repeated beginnings without an end, nesting, runs of one class, marks that are sorted. */
export const worstCharacters: readonly string[] = [
  'a',
  ' ',
  '\n',
  '-',
  '.',
  'a.',
  '0',
  '1,',
  '@',
  'a@',
  '@a@',
  'a@b.',
  '%',
  '%40',
  'a%40',
  '_%40',
  '%E3%81%82',
  '\\',
  '"',
  '\\"',
  "'",
  '=',
  '&a=',
  'a=b;',
  ',',
  'a, ',
  ';q=0.1,',
  '/',
  '//',
  '/../',
  '#',
  '#a・',
  '＃あ',
  '＠a',
  'http://',
  'https://a.b(',
  '(',
  '[',
  '[[',
  '[a](/',
  '{"a":',
  '<',
  '<!--',
  '<!-- -->',
  '<?x',
  '<?x?>',
  '<!DOCTYPE svg',
  '<!DOCTYPE svg [',
  '<!DOCTYPE a>',
  '<!DOCTYPE a[]>',
  'Bearer ',
  'Bearer%20',
  'Key (',
  'Key (a)=(',
  String.raw`\nparams: `,
  'Mozilla/5.0 (',
  'iPhone; CPU OS ',
  'bytes=0-',
  '0-1,',
  '゛',
  'か゛',
  'ﾊﾞ',
  'ー~',
  '\u0301',
  '\u0301\u0327',
  '\u0327\u0301',
  'ﾞ\u0301',
  '\u1100',
  '🇯',
  '👨‍👩',
  '\u{1F468}\u200d',
  '\ud800',
  '\u0000',
  'ﷺ',
]

/** Characters on which a parser is slower than linear, each with its factor; empty for a linear parser. */
export async function superLinear(
  parse: Parser,
  characters: readonly string[] = worstCharacters,
  size = LONG,
): Promise<[characters: string, factor: number][]> {
  const found: [string, number][] = []
  for (const it of characters) {
    const factor = await growthOf(parse, it, size)
    if (factor > LINEAR) found.push([it, factor])
  }
  return found
}
