// The period of a plan's payment as text.
import { monthDay } from '#src/lib/format.ts'
import { purchaseText } from './text.ts'

/** `12月10日〜1月9日の1か月分`: the end of a period is the start of the day after it. */
export const periodText = ({ from, until }: { from: string; until: string }): string =>
  purchaseText.period(monthDay(Date.parse(from)), monthDay(Date.parse(until) - 1))
