// Emails about a membership of a plan: payments, failures, stops, changes.
import type { MembershipEmail } from '#server/rules/money/membership-email.ts'
import { taxInside } from '#server/rules/money/fees.ts'
import type { EndReason } from '#server/rules/money/membership.ts'
import { type EmailText, japaneseDay, japaneseTime, line, oneLine, type Part, yen } from './frame.ts'

const TO_PLANS = '加入中のプランを見る'
const foot = ['プランに加入されているため、お送りしています。']

const toPlans = (url: string): Part => ({ is: 'link', label: TO_PLANS, url })

/** The last day before a moment at which something ends, in Asia/Tokyo. */
const lastDay = (at: number): string => japaneseDay(at - 1)

export function membership(email: MembershipEmail, publicUrl: string): EmailText {
  const name = `${oneLine(email.creator)}さんのプラン「${oneLine(email.plan)}」`
  switch (email.is) {
    case 'membership_joined':
      return joined(email, name, publicUrl)
    case 'membership_renewed':
      return renewed(email, name)
    case 'membership_past_due':
      return pastDue(email, name)
    case 'membership_cancelling':
      return cancelling(email, name)
    case 'membership_resumed':
      return resumed(email, name)
    case 'membership_ended':
      return {
        subject: 'プランが終了しました',
        parts: [
          line(`${name}の加入が終了しました。`),
          line(
            email.returnUntil === null ? endedBecause[email.why] : returning(email.why, email.returnUntil),
          ),
          toPlans(email.url),
        ],
        foot: ['プランに加入されていたため、お送りしています。'],
      }
    case 'membership_card':
      return cardChanged(email, name)
    case 'membership_card_expires':
      return cardExpires(email, name)
    case 'membership_next':
      return changed(email, name)
    case 'plan_closing':
      return closing(email, name)
    case 'plan_price':
      return price(email, name)
    default:
      return email satisfies never
  }
}

type Of<Kind extends MembershipEmail['is']> = Extract<MembershipEmail, { is: Kind }>

const payment = (amount: number) => `${yen(amount)}（うち消費税10% ${yen(taxInside(amount))}）`

function joined(
  { amount, at, paymentId, nextChargeAt, thanks, creator, url }: Of<'membership_joined'>,
  name: string,
  publicUrl: string,
): EmailText {
  const words: Part[] =
    thanks === '' ? [] : [line(`${oneLine(creator)}さんからのメッセージ`), ...thanks.split('\n').map(line)]
  return {
    subject: 'プランに加入しました',
    parts: [
      line(`${name}に加入しました。今すぐご覧いただけます。`),
      ...words,
      {
        is: 'facts',
        facts: [
          ['商品', name],
          ['お支払い', payment(amount)],
          ['日時', japaneseTime(at)],
          ['決済番号', paymentId],
          ['次のお支払い', `${japaneseDay(nextChargeAt)}（以後、毎月自動で更新）`],
        ],
      },
      toPlans(url),
      line('解約は「加入中のプラン」からいつでもできます。解約しても、お支払い済みの期間は閲覧できます。'),
      line(
        '返金のご相談は、決済番号を添えて運営者までご連絡ください。連絡先は「特定商取引法に基づく表記」にあります。',
      ),
      line(`${publicUrl}/settings/commercial-transactions-act`),
    ],
    foot: [
      'プランに加入されたため、お送りしています。',
      'お心当たりがないときは、パスワードを変更し、運営者にご連絡ください。',
    ],
  }
}

function renewed(
  { amount, at, paymentId, nextChargeAt, url }: Of<'membership_renewed'>,
  name: string,
): EmailText {
  const next: [string, string][] = nextChargeAt === null ? [] : [['次のお支払い', japaneseDay(nextChargeAt)]]
  return {
    subject: 'プランの月額をお支払いいただきました',
    parts: [
      line(`${name}の月額をお支払いいただきました。`),
      {
        is: 'facts',
        facts: [['お支払い', payment(amount)], ['日時', japaneseTime(at)], ['決済番号', paymentId], ...next],
      },
      toPlans(url),
    ],
    foot,
  }
}

function pastDue({ amount, url }: Of<'membership_past_due'>, name: string): EmailText {
  return {
    subject: 'プランの月額のお支払いができませんでした',
    parts: [
      line(`${name}の月額${yen(amount)}（税込）のお支払いを確認できませんでした。`),
      line(
        'カードの有効期限や利用限度額をご確認ください。決済代行会社が、数日のうちにもう一度お支払いを試みます。それまでは引き続きご覧いただけます。',
      ),
      line(
        '「加入中のプラン」の「お支払い方法を変更する」から、今すぐお支払いになるか、別のカードに変更できます。月額と加入した日、閲覧できる投稿は変わりません。',
      ),
      toPlans(url),
    ],
    foot,
  }
}

/** Why the charges were stopped. */
const stoppedBecause: Record<EndReason, string> = {
  cancelled: '解約を受け付けました。',
  member_left: 'アカウントの削除の申し込みか利用の停止により、今後のお支払いを停止しました。',
  creator_left:
    'クリエイターがアカウントの削除を申し込んだか、利用を停止されたため、今後のお支払いを停止しました。',
  plan_closed: 'プランが終了するため、今後のお支払いを停止しました。',
  payment_failed: 'お支払いができなかったため、決済代行会社が今後のお支払いを停止しました。',
  not_paid: 'お支払いを確認できなかったため、今後のお支払いを停止しました。',
  refunded: '返金したため、今後のお支払いを停止しました。',
  blocked: '今後のお支払いを停止しました。',
}

function cancelling({ why, until, url }: Of<'membership_cancelling'>, name: string): EmailText {
  return {
    subject: 'プランの今後のお支払いを停止しました',
    parts: [
      line(`${name}について、${stoppedBecause[why]}今後、請求はありません。`),
      line(
        why === 'member_left'
          ? `お支払い済みの期間は${lastDay(until)}までです。アカウントを再び利用できるようになっても、自動では再開しません。続けるときは、その日までに「加入中のプラン」で「加入を続ける」を押してください。`
          : `お支払い済みの期間は、${lastDay(until)}まで閲覧できます。`,
      ),
      toPlans(url),
    ],
    foot,
  }
}

const endedBecause: Record<EndReason, string> = {
  cancelled: '解約されたプランの、お支払い済みの期間が終わりました。もう一度加入することもできます。',
  member_left: 'アカウントの削除の申し込みか利用の停止によるものです。',
  creator_left: 'クリエイターのアカウントが削除されたか、利用を停止されたためです。',
  plan_closed: 'クリエイターがお知らせした終了日を迎えました。',
  payment_failed: 'お支払いができなかったためです。',
  not_paid: 'お支払いを確認できなかったためです。',
  refunded: '返金によるものです。',
  blocked: 'クリエイターのプランを利用できなくなったためです。お支払い済みの今月分は返金します。',
}

/** @param until the moment from which a new membership is needed */
const returning = (why: EndReason, until: number): string =>
  `${why === 'cancelled' ? '解約を受け付けました。' : endedBecause[why]}${japaneseTime(until)}までは、「加入中のプラン」から、今までと同じ月額と閲覧できる範囲で加入を続けられます。プランの定員の枠も、それまで空けておきます。`

function cardChanged({ amount, nextChargeAt, url }: Of<'membership_card'>, name: string): EmailText {
  return {
    subject: 'プランのお支払い方法を変更しました',
    parts: [
      line(`${name}のお支払い方法を変更しました。月額と加入した日、閲覧できる投稿は変わりません。`),
      nextChargeAt === null
        ? line('今後、請求はありません。')
        : line(
            `次のお支払いは${japaneseDay(nextChargeAt)}、月額${yen(amount)}（税込）です。新しいカードに請求します。`,
          ),
      toPlans(url),
    ],
    foot,
  }
}

function cardExpires({ month, url }: Of<'membership_card_expires'>, name: string): EmailText {
  const [year, number] = month.split('-').map(Number)
  return {
    subject: 'プランのお支払いに使うカードの有効期限が近づいています',
    parts: [
      line(`${name}のお支払いに使うカードの有効期限は、${year}年${number}月です。`),
      line(
        '新しいカードが届いたら、「加入中のプラン」の「お支払い方法を変更する」から変更してください。月額と加入した日、閲覧できる投稿は変わりません。',
      ),
      toPlans(url),
    ],
    foot,
  }
}

function closing({ endsAt, nextChargeAt, url }: Of<'plan_closing'>, name: string): EmailText {
  const charges =
    nextChargeAt === null
      ? '今後、請求はありません。'
      : `次のお支払いは${japaneseDay(nextChargeAt)}です。終了日をこえる期間の請求はありません。`
  return {
    subject: 'プランの終了のお知らせ',
    parts: [
      line(`${name}は、${lastDay(endsAt)}に終了します。その日まで閲覧できます。`),
      line(charges),
      toPlans(url),
    ],
    foot,
  }
}

function resumed({ amount, nextChargeAt, url }: Of<'membership_resumed'>, name: string): EmailText {
  return {
    subject: 'プランの自動更新を再開しました',
    parts: [
      line(`${name}の自動更新を再開しました。引き続きご覧いただけます。`),
      line(`次のお支払いは${japaneseDay(nextChargeAt)}、月額${yen(amount)}（税込）です。`),
      toPlans(url),
    ],
    foot,
  }
}

function changed({ nextPlan, amount, from, url }: Of<'membership_next'>, name: string): EmailText {
  return {
    subject: 'プランの変更を受け付けました',
    parts: [
      line(`${name}の変更を受け付けました。次のお支払いから切り替わります。`),
      {
        is: 'facts',
        facts: [
          ['切り替え後のプラン', oneLine(nextPlan)],
          ['切り替え後の月額', `${yen(amount)}（税込）`],
          ['切り替わる日', japaneseDay(from)],
        ],
      },
      line('切り替わる日までは、現在のプランのままです。変更は、その前日まで取り消せます。'),
      toPlans(url),
    ],
    foot,
  }
}

function price({ offered, amount, url }: Of<'plan_price'>, name: string): EmailText {
  return {
    subject: 'プランの月額が変更されました',
    parts: [
      line(`${name}の月額が、新しく加入する方について${yen(offered)}（税込）に変更されました。`),
      line(`お支払いは、今までどおり月額${yen(amount)}です。新しい月額に同意されるまで変わりません。`),
      toPlans(url),
    ],
    foot,
  }
}
