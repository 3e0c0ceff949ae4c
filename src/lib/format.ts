// Formats numbers, sizes, money and times as Japanese text, in the time zone of Tokyo.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Offset of Tokyo from UTC, the same in the whole year, ms. */
const TOKYO_AHEAD = 9 * HOUR

// Without `Intl`: creating its first formatter takes a phone longer than drawing a whole post.

/** A date whose UTC fields have the values of Tokyo. */
const inTokyo = (at: number) => new Date(at + TOKYO_AHEAD)

const WEEKDAYS = '日月火水木金土'

const two = (value: number) => String(value).padStart(2, '0')

/** Comma thousands, at most 3 decimals (section 9). */
export function number(value: number): string {
  const rounded = Math.round(value * 1000) / 1000
  // From 1e21 on `String` writes a number with an exponent.
  return grouped(Math.abs(rounded) < 1e21 ? String(rounded) : String(BigInt(rounded)))
}

function grouped(signed: string): string {
  // U+2212, which is as wide as a digit.
  if (signed.startsWith('-')) return `−${grouped(signed.slice(1))}`
  const [whole = '', rest] = signed.split('.')
  const first = whole.length % 3
  const groups = [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])]
  const thousands = groups.filter((it) => it !== '').join(',')
  return rest === undefined ? thousands : `${thousands}.${rest}`
}

/** `1,000円`. */
export function yen(amount: number): string {
  return `${number(amount)}円`
}

/** Bytes as megabytes with two decimals: `12.34MB` (section 9). */
export function megabytes(bytes: number): string {
  return `${grouped((bytes / (1024 * 1024)).toFixed(2))}MB`
}

/** Bytes of a limit: as megabytes, and below 0.01MB as `1.00KB`. */
export function sizeLimit(bytes: number): string {
  return bytes < (1024 * 1024) / 100 ? `${(bytes / 1024).toFixed(2)}KB` : megabytes(bytes)
}

/** Bytes of storage: `12.34MB` below a gigabyte, `12.3GB` and `100GB` above. */
export function storageSize(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3
  return gigabytes < 1 ? megabytes(bytes) : `${number(Math.round(gigabytes * 10) / 10)}GB`
}

/** `2026年3月5日`. */
export function date(at: number): string {
  return `${inTokyo(at).getUTCFullYear()}年${monthDay(at)}`
}

/** `3月5日`. */
export function monthDay(at: number): string {
  const it = inTokyo(at)
  return `${it.getUTCMonth() + 1}月${it.getUTCDate()}日`
}

/** `2026-03-05`, as dates are written in requests and files. */
export const isoDay = (at: number): string => inTokyo(at).toISOString().slice(0, 10)

/** `2026年3月5日 12:30`. */
export function dateTime(at: number): string {
  return `${date(at)} ${timeOfDay(at)}`
}

/** `12:30`. */
export function timeOfDay(at: number): string {
  const it = inTokyo(at)
  return `${two(it.getUTCHours())}:${two(it.getUTCMinutes())}`
}

/** `3月5日(木)`, with the year when it is not the current one. */
export function dayWithWeekday(at: number, now: number): string {
  const it = inTokyo(at)
  const isThisYear = it.getUTCFullYear() === inTokyo(now).getUTCFullYear()
  return `${isThisYear ? monthDay(at) : date(at)}(${WEEKDAYS.charAt(it.getUTCDay())})`
}

/** Whether two moments are on one day in Tokyo. */
export const isSameDay = (a: number, b: number): boolean => tokyoDay(a) === tokyoDay(b)

/** Days since 1970 in Tokyo. */
const tokyoDay = (at: number) => Math.floor((at + TOKYO_AHEAD) / DAY)

/**
 * The time since a past moment: たった今, 5分前, 3時間5分前, 昨日, then the date. Section 9: hours have the remaining
 * minutes, whole hours have none. The date has its year when that is not the current one.
 * @param at past moment, ms since 1970
 * @param now current time, ms since 1970
 */
export function relative(at: number, now: number): string {
  const past = now - at
  if (past < MINUTE) return 'たった今'
  if (past < HOUR) return `${Math.floor(past / MINUTE)}分前`
  if (past < DAY) return `${hoursAndMinutes(Math.floor(past / MINUTE))}前`
  if (tokyoDay(now) - tokyoDay(at) === 1) return '昨日'
  const day = date(at)
  const year = `${inTokyo(now).getUTCFullYear()}年`
  return day.startsWith(year) ? day.slice(year.length) : day
}

/** @param minutes whole minutes, 60 or more: `3時間5分`, `3時間` */
function hoursAndMinutes(minutes: number): string {
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)}時間${rest === 0 ? '' : `${rest}分`}`
}

/** A remaining time, rounded up: `約40秒`, `約3分`, `約1時間5分`. */
export function remaining(seconds: number): string {
  const fiveSeconds = Math.max(5, Math.ceil(seconds / 5) * 5)
  if (fiveSeconds < 60) return `約${fiveSeconds}秒`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `約${minutes}分`
  return `約${hoursAndMinutes(minutes)}`
}

/** Length of a video: `3:05`, `1:02:03`. */
export function playingTime(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = two(Math.floor(seconds % 60))
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}
