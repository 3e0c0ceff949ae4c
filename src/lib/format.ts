// Numbers, sizes, money and moments as Japanese text. Times are those of Asia/Tokyo.

const timeZone = 'Asia/Tokyo'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const parts = new Intl.DateTimeFormat('ja-JP', {
  timeZone,
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

function pick(at: number): Record<string, string> {
  return Object.fromEntries(parts.formatToParts(at).map((it) => [it.type, it.value]))
}

/** Comma thousands, at most 3 decimals (section 9). */
export function number(value: number): string {
  return value.toLocaleString('ja-JP', { maximumFractionDigits: 3 })
}

/** `1,000円`. */
export function yen(amount: number): string {
  return `${number(amount)}円`
}

/** Bytes as megabytes with two decimals: `12.34MB` (section 9). */
export function megabytes(bytes: number): string {
  const value = (bytes / (1024 * 1024)).toLocaleString('ja-JP', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  return `${value}MB`
}

/** `2026年3月5日`. */
export function date(at: number): string {
  const it = pick(at)
  return `${it['year']}年${it['month']}月${it['day']}日`
}

/** `2026年3月5日 12:30`. */
export function dateTime(at: number): string {
  const it = pick(at)
  return `${date(at)} ${it['hour']}:${it['minute']}`
}

/** Days since 1970 in Tokyo, which is nine hours ahead the whole year. */
const tokyoDay = (at: number) => Math.floor((at + 9 * HOUR) / DAY)

/** たった今, 5分前, 3時間前, 昨日, then the date (with its year when it is not this one). */
export function relative(at: number, now: number): string {
  const past = now - at
  if (past < MINUTE) return 'たった今'
  if (past < HOUR) return `${Math.floor(past / MINUTE)}分前`
  if (past < DAY) return `${Math.floor(past / HOUR)}時間前`
  if (tokyoDay(now) - tokyoDay(at) === 1) return '昨日'
  const day = date(at)
  const year = `${pick(now)['year']}年`
  return day.startsWith(year) ? day.slice(year.length) : day
}

/** Section 9: hours and remaining minutes as `3時間5分`; with no hours, `5分前`. */
export function hoursAndMinutes(span: number): string {
  const minutes = Math.max(0, Math.floor(span / MINUTE))
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes}分前` : `${hours}時間${minutes % 60}分`
}

/** How long something will still take: `約40秒`, `約3分`, `約1時間5分`. */
export function remaining(seconds: number): string {
  const steps = Math.max(5, Math.ceil(seconds / 5) * 5)
  if (steps < 60) return `約${steps}秒`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `約${minutes}分`
  const rest = minutes % 60
  return `約${Math.floor(minutes / 60)}時間${rest === 0 ? '' : `${rest}分`}`
}

/** Length of a video: `3:05`, `1:02:03`. */
export function playingTime(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = two(Math.floor(seconds % 60))
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}
