// Emails about refunds, disputes, fee rates and complimentary memberships.
import type { AdjustmentEmail } from '#server/rules/email.ts'
import { type EmailText, japaneseTime, line, oneLine, yen } from './frame.ts'

const sold = {
  sale_refunded: {
    subject: '売上の返金のお知らせ',
    lead: '運営が、購入者に返金しました。返金した分は、売上と手数料から差し引かれます。',
    amount: '返金額',
  },
  sale_disputed: {
    subject: 'カード会社がお支払いを確認しています',
    lead: '購入者のカード会社がお支払いを確認しているため、この売上をいったん差し引きました。お手続きは運営が行います。',
    amount: '対象の金額',
  },
  dispute_won: {
    subject: '差し引かれていた売上が戻りました',
    lead: 'カード会社の確認が終わり、お支払いが認められました。差し引かれていた売上を残高に戻しました。',
    amount: '対象の金額',
  },
  dispute_lost: {
    subject: 'カード会社の確認が終わりました',
    lead: 'カード会社の確認の結果、お支払いが取り消されました。差し引かれた売上は戻りません。',
    amount: '対象の金額',
  },
  dispute_covered: {
    subject: '取り消されたお支払いを運営が補いました',
    lead: 'カード会社の確認の結果、お支払いが取り消されましたが、売上は運営が補い、残高に戻しました。',
    amount: '対象の金額',
  },
} as const

/** Basis points as percent: 1000 is 10%. */
const percent = (rate: number) => `${rate / 100}%`
const foot = ['とどけでの販売があるため、お送りしています。']
const reasonOf = (reason: string): (readonly [string, string])[] =>
  reason === '' ? [] : [['理由', oneLine(reason)]]

export function adjustment(email: AdjustmentEmail): EmailText {
  switch (email.is) {
    case 'fee_rate':
      return feeRate(email)
    case 'complimentary':
      return complimentary(email)
    case 'complimentary_given':
      return complimentaryGiven(email)
    default: {
      const { subject, lead, amount: label } = sold[email.is]
      const facts = [
        [label, yen(email.amount)],
        ['決済番号', email.paymentId],
        ...reasonOf(email.reason),
      ] as const
      const link = { is: 'link', label: '売上を見る', url: email.url } as const
      return { subject, parts: [line(lead), { is: 'facts', facts }, link], foot }
    }
  }
}

function feeRate(email: Extract<AdjustmentEmail, { is: 'fee_rate' }>): EmailText {
  const facts = [
    ['新しい手数料', `${percent(email.rate)}（税込）`],
    ['これまでの手数料', `${percent(email.before)}（税込）`],
    ['変更日', japaneseTime(email.from)],
    ...reasonOf(email.reason),
  ] as const
  return {
    subject: '販売手数料の変更のお知らせ',
    parts: [
      line('変更日からの販売に、新しい手数料を適用します。それまでの売上の手数料は変わりません。'),
      { is: 'facts', facts },
      { is: 'link', label: '売上を見る', url: email.url },
    ],
    foot,
  }
}

function complimentary(email: Extract<AdjustmentEmail, { is: 'complimentary' }>): EmailText {
  const creator = oneLine(email.creator)
  const facts = [
    ['プラン', `${creator}さんの「${oneLine(email.plan)}」`],
    ['ご利用期限', japaneseTime(email.until)],
    ...reasonOf(email.reason),
  ] as const
  return {
    subject: 'プランを無料でご利用いただけます',
    parts: [
      line('運営から、プランの無料のご利用をお贈りしました。料金はかからず、期限が来ると自動で終わります。'),
      { is: 'facts', facts },
      { is: 'link', label: `${creator}さんのページを見る`, url: email.url },
    ],
    foot: ['プランを無料でご利用いただけるようになったため、お送りしています。'],
  }
}

function complimentaryGiven(email: Extract<AdjustmentEmail, { is: 'complimentary_given' }>): EmailText {
  const facts = [
    ['プラン', oneLine(email.plan)],
    ['メンバー', `${oneLine(email.member)}さん`],
    ['ご利用期限', japaneseTime(email.until)],
    ['運営からのお支払い', yen(email.amount)],
    ...reasonOf(email.reason),
  ] as const
  return {
    subject: '運営がメンバーを無料で追加しました',
    parts: [
      line('運営の対応として、プランのメンバーを無料で追加しました。'),
      { is: 'facts', facts },
      { is: 'link', label: '売上を見る', url: email.url },
    ],
    foot,
  }
}
