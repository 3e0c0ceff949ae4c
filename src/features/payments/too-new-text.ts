// The sentence about a price that a new account cannot pay now.
import { type Allowance, NEW_ACCOUNT_DAYS } from '#contract/payments/allowance.ts'
import { dateTime, yen } from '#src/lib/format.ts'

const MINUTE = 60_000

/** The next whole minute, since the seconds are not shown and nothing can be paid before them. */
const shownTime = (at: string) => dateTime(Math.ceil(Date.parse(at) / MINUTE) * MINUTE)

/** @returns undefined for a price that fits */
export function tooNewText(
  price: number,
  { limit, left, fits_at: fits, ends_at: ends }: Allowance,
): string | undefined {
  if (price <= left) return undefined
  const rule = `登録から${NEW_ACCOUNT_DAYS}日未満の間（${shownTime(ends)}まで）は、24時間にお支払いいただける金額の合計が${yen(limit)}までです。`
  const now =
    price > limit ? '' : `お支払いの途中のものを含めて、いまお支払いいただけるのは、あと${yen(left)}です。`
  return `${rule}${now}この金額は、${shownTime(fits)}からお支払いいただけます。`
}
