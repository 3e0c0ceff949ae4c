// Emails about a payout: paid, returned, held, cancelled.
import type { PayoutEmail } from '#server/rules/email.ts'
import { type EmailText, line, oneLine, type Part, yen } from './frame.ts'

const words = {
  payout_paid: {
    subject: '売上を振り込みました',
    lead: '売上を、登録されている口座に振り込みました。口座への反映には、時間がかかることがあります。',
  },
  payout_returned: {
    subject: '売上を振り込めませんでした',
    lead: '売上を振り込めなかったため、金額を残高に戻しました。振込先の口座を確認し、正しい内容に変更してください。',
  },
  payout_held: {
    subject: '売上の振込を保留しています',
    lead: '売上の振込を、確認のため保留しています。',
  },
  payout_cancelled: {
    subject: '売上の振込を取り消しました',
    lead: '売上の振込を取り消し、金額を残高に戻しました。',
  },
} as const satisfies Record<PayoutEmail['is'], { readonly subject: string; readonly lead: string }>

export function payout({ is, number, amount, fee, reason, url }: PayoutEmail): EmailText {
  const { subject, lead } = words[is]
  const why: Part[] = reason === '' ? [] : [line(`理由：${oneLine(reason)}`)]
  return {
    subject,
    parts: [
      line(lead),
      ...why,
      {
        is: 'facts',
        facts: [
          ['振込番号', String(number)],
          ['振込額', yen(amount - fee)],
          ['振込手数料', yen(fee)],
        ],
      },
      { is: 'link', label: '振込の状態を見る', url },
    ],
    foot: ['とどけでの販売があるため、お送りしています。'],
  }
}
