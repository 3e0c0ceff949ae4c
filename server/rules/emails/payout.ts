// Emails about a payout: paid, returned, held, cancelled, and of an old balance.
import type { OldBalanceEmail, PayoutEmail } from '#server/rules/email.ts'
import { type EmailText, japaneseDay, line, oneLine, type Part, yen } from './frame.ts'

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

export function payout({ is, number, amount, fee, withheld = 0, reason, url }: PayoutEmail): EmailText {
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
          ['振込額', yen(amount - fee - withheld)],
          ['振込手数料', yen(fee)],
          ...(withheld === 0 ? [] : [['源泉徴収した税金', yen(withheld)] as const]),
        ],
      },
      { is: 'link', label: '振込の状態を見る', url },
    ],
    foot: ['とどけでの販売があるため、お送りしています。'],
  }
}

const old = {
  request: {
    subject: '6か月を過ぎた売上を振り込みます',
    lead: '確定から6か月を過ぎた売上があるため、振込可能額の全額の振込を申請しました。自動で振り込む設定や最低額にかかわらず、振り込みます。',
  },
  no_account: {
    subject: '振込先の口座を登録してください',
    lead: '確定から6か月を過ぎた売上を、振込先の口座がないため振り込めません。口座を登録すると、最低額に満たない場合も、自動で振り込みます。',
  },
  returned: {
    subject: '振込先の口座を変更してください',
    lead: '確定から6か月を過ぎた売上が、前回の振込が戻ったまま残っています。口座を正しい内容に変更すると、最低額に満たない場合も、自動で振り込みます。',
  },
  unidentified: {
    subject: '売上の振込には本人確認が必要です',
    lead: '確定から6か月を過ぎた売上を、本人確認が済んでいないため自動では振り込めません。本人確認が済むと、最低額に満たない場合も、自動で振り込みます。',
  },
} as const satisfies Record<OldBalanceEmail['step'], { readonly subject: string; readonly lead: string }>

export function oldBalance({ step, amount, fee, dueOn, url }: OldBalanceEmail): EmailText {
  const { subject, lead } = old[step]
  const isRequested = step === 'request'
  return {
    subject,
    parts: [
      line(lead),
      {
        is: 'facts',
        facts: isRequested
          ? [
              ['振込額', yen(amount - fee)],
              ['振込手数料', fee === 0 ? '0円（とどけが負担します）' : yen(fee)],
              ...(dueOn === ''
                ? []
                : [['振込予定日', japaneseDay(Date.parse(`${dueOn}T00:00:00+09:00`))] as const]),
            ]
          : [['6か月を過ぎた売上', yen(amount)]],
      },
      ...(isRequested ? [] : [line('振り込めないことによって、売上を受け取る権利はなくなりません。')]),
      ...(isRequested && dueOn === ''
        ? [line('海外にお住まいのため、源泉徴収が必要かどうかを運営が確認してから振り込みます。')]
        : []),
      { is: 'link', label: '振込の状態を見る', url },
    ],
    foot: ['とどけでの販売があるため、お送りしています。'],
  }
}
