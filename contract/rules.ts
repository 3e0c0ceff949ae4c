// The form rules of specification section 5, shared by browser and server.
import * as v from 'valibot'
import { MAX_ACCOUNT_NAME, MAX_EMAIL, MAX_PASSWORD, MAX_URL, MIN_AGE, MIN_PASSWORD } from './limits.ts'
import { keepsTo } from './text/text-rule.ts'
import { fullWidth, halfWidth } from './text/width.ts'

// Validation rules of forms: each folds its input first, then checks it, so that `orBlank` sees text.

/** What was typed into a field; nothing at all is an empty field. */
export const typed = v.string(({ input }) =>
  input === undefined || input === null ? 'required' : 'malformed',
)

/** Lets a field stay empty; anything else has to pass the rule. */
export const orBlank = <const Rule extends v.GenericSchema<string, unknown>>(rule: Rule) =>
  v.pipe(typed, v.union([v.literal(''), rule]))

/** `required`: empty, null and undefined fail. Spaces count: passwords are made of what was typed. */
export const required = v.pipe(typed, v.nonEmpty('required'))

/** Text without the spaces around it, not empty. */
export const words = v.pipe(typed, v.trim(), v.nonEmpty('required'))

/**
 * `email`, by the pattern browsers use (it takes the dots old phone addresses have), with a name of at least two parts
 * after the @. Stored in lower case; full-width signs and the Japanese full stop are folded, surrounding spaces removed.
 */
export const email = v.pipe(
  typed,
  v.transform((it) => halfWidth(it).replaceAll(/[。｡]/g, '.').trim().toLowerCase()),
  v.nonEmpty('required'),
  v.maxLength(MAX_EMAIL, 'too_long'),
  v.rfcEmail('email'),
  v.regex(/\.[a-z][a-z\d-]*[a-z\d]$/, 'email'),
)

/** `alphanumeric`: letters and digits alone, full-width ones folded. */
export const alphanumeric = v.pipe(
  typed,
  v.transform((it) => halfWidth(it).trim()),
  v.nonEmpty('required'),
  v.regex(/^[A-Za-z\d]+$/, 'alphanumeric'),
)

/**
 * `maxLength:N` (section 5), in grapheme clusters, and the other bounds of a text of several lines: bytes and combining
 * marks, see `textProblem`.
 */
export const maxLength = (most: number) => keepsTo({ max: most, shape: 'lines' })

/** A name that others read: one line, not empty, and something of it can be seen. */
export const nameText = (most: number) => v.pipe(words, keepsTo({ max: most, shape: 'name' }))

/** A number as people type it: digits of either width, commas between thousands, a point, a sign. */
export const numeric = v.pipe(
  typed,
  v.transform((it) => halfWidth(it).replaceAll('−', '-').trim()),
  v.nonEmpty('required'),
  v.transform((it) =>
    /^[-+]?(\d{1,15}|\d{1,3}(,\d{3}){1,4})(\.\d{1,15})?$/.test(it)
      ? Number(it.replaceAll(',', ''))
      : Number.NaN,
  ),
  v.check((it) => !Number.isNaN(it), 'number'),
)

/** `min:N`: the number is N or more. */
export const min = (least: number) => v.minValue<number, number, 'too_small'>(least, 'too_small')

/** `max:N`: the number is N or less. */
export const max = (most: number) => v.maxValue<number, number, 'too_large'>(most, 'too_large')

const MIXED = /^(?=.*[A-Za-z])(?=.*[\d@$!%*#?&^_-])/s
const SIGNS = /^[A-Za-z\d@$!%*#?&^_-]+$/

/**
 * `password`: 8–32 of letters, digits and @$!%*#?&^_-, at least one letter and one digit or symbol.
 * Never folded or trimmed: it is what was typed.
 */
export const password = v.pipe(
  typed,
  v.nonEmpty('required'),
  v.minLength(MIN_PASSWORD, 'password'),
  v.maxLength(MAX_PASSWORD, 'password'),
  v.regex(SIGNS, 'password'),
  v.regex(MIXED, 'password'),
)

/** The parts of the password rule, for a list that is checked off during typing. */
export const passwordConditions = {
  length: (it: string) => it.length >= MIN_PASSWORD && it.length <= MAX_PASSWORD,
  mixed: (it: string) => MIXED.test(it),
  signs: (it: string) => SIGNS.test(it),
} as const

/** `repeat-password`: a check of a whole form, reported at the field `name`: it equals the field `of`. */
export const repeatPassword = <const Of extends string, const Name extends string>(of: Of, name: Name) =>
  v.rawCheck<Record<Of | Name, string>>(({ dataset, addIssue }) => {
    // Each field's own complaint comes first.
    if (!dataset.typed || dataset.value[of] === dataset.value[name]) return
    const { value } = dataset
    const path = [{ type: 'object', origin: 'value', input: value, key: name, value: value[name] }] as const
    addIssue({ message: 'repeat', path: [...path] })
  })

/** `repeat-password-reset-token`: equals the token in the reply to the right code. */
export const repeatPasswordResetToken = (token: string) =>
  v.pipe(
    typed,
    v.nonEmpty('required'),
    v.check((it) => it === token, 'reset_token'),
  )

/**
 * `accountNameCard`: 1–100 of full-width katakana, Latin letters, digits, parentheses, full stop, long vowel mark and
 * space. Half-width ones are folded, as bank books print them; spaces around it go. After a katakana, which is never followed by a
 * hyphen, bank books print a long vowel mark as one, and what people write as a middle dot is a full stop.
 */
export const accountNameCard = v.pipe(
  typed,
  // A longer text is not folded: composing takes time quadratic in a row of combining marks.
  v.maxLength(4 * MAX_ACCOUNT_NAME, 'too_long'),
  v.transform((it) =>
    fullWidth(it.trim())
      .replaceAll(/(?<=[ァ-ヺー])[－‐-―−]/g, 'ー')
      .replaceAll(/(?<=[ァ-ヺー])・/g, '．'),
  ),
  v.nonEmpty('required'),
  v.maxLength(MAX_ACCOUNT_NAME, 'too_long'),
  v.regex(/^[ァ-ヺーＡ-Ｚａ-ｚ０-９（）．　]+$/, 'account_name'),
)

/** Tokyo is ahead of UTC by so much the whole year, ms. A formatter for it costs a phone a tenth of a second. */
const TOKYO_AHEAD = 9 * 60 * 60_000

/**
 * Whole years between a birth date and a day in Asia/Tokyo.
 * @param born `YYYY-MM-DD`
 * @param now milliseconds since 1970
 */
export function ageOn(born: string, now: number): number {
  const today = new Date(now + TOKYO_AHEAD).toISOString().slice(0, 10)
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4))
  return today.slice(5) < born.slice(5) ? years - 1 : years
}

/** A day the calendar has, `YYYY-MM-DD`. */
export const day = v.pipe(
  typed,
  v.nonEmpty('required'),
  v.check((it) => {
    const at = /^\d{4}-\d\d-\d\d$/.test(it) ? new Date(`${it}T00:00:00Z`) : undefined
    return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(it)
  }, 'malformed'),
)

/** `confirmOld`: a birth date at least 18 years ago, by the date in Japan. */
export const confirmOld = v.pipe(
  day,
  v.check((born) => ageOn(born, Date.now()) >= MIN_AGE, 'under_age'),
  v.check((born) => ageOn(born, Date.now()) < 130, 'malformed'),
)

/** `protocolUrl`: an address that starts with https://. Full-width signs are folded; it names no user or password. */
export const protocolUrl = v.pipe(
  typed,
  v.transform((it) =>
    halfWidth(it)
      .trim()
      .replace(/^https:\/\//i, 'https://'),
  ),
  v.nonEmpty('required'),
  v.maxLength(MAX_URL, 'too_long'),
  v.startsWith('https://', 'https_url'),
  v.check((it) => {
    const url = URL.canParse(it) ? new URL(it) : undefined
    const readable = !/[\s\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u.test(it)
    return url !== undefined && url.hostname.includes('.') && url.username === '' && readable
  }, 'https_url'),
)
