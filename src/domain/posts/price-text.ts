// Sentences about an invalid price.
import { MAX_PRICE, MIN_PRICE } from '#contract/limits.ts'
import type { PriceProblem } from '#contract/posts/price.ts'
import { yen } from '#src/lib/format.ts'

export const priceProblemText: Record<PriceProblem, string> = {
  required: '入力必須項目です。',
  malformed: '価格は数字で入力してください',
  fraction: '小数点を使わず、1円単位で入力してください（例：1,000）',
  too_small: `${yen(MIN_PRICE)}以上で入力してください`,
  too_large: `${yen(MAX_PRICE)}以下で入力してください`,
}
