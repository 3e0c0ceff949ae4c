// Emails about a purchase, what becomes of it, and charges that paid for nothing.
import type { SurplusReason } from '#contract/payments/surplus.ts'
import { taxInside } from '#server/rules/money/fees.ts'
import { japaneseTime, type EmailText, line, oneLine, yen } from './frame.ts'

interface Purchase {
  /** Name of the creator. */
  readonly creator: string
  /** Whole yen, tax included. */
  readonly amount: number
  readonly at: number
  readonly paymentId: string
  /** URL of the post. */
  readonly url: string
  /** Of the post; emails that were queued by an earlier version, and posts without one, have none. */
  readonly title?: string
}

/** What was bought, with the title of a post that has one. */
function itemOf(creator: string, of: 'post' | 'plan', title = ''): string {
  const item = `${oneLine(creator)}さんの${of === 'post' ? '有料の投稿' : 'プラン'}`
  return title === '' ? item : `${item}「${oneLine(title)}」`
}

export function purchase(
  { creator, amount, at, paymentId, url, title }: Purchase,
  publicUrl: string,
): EmailText {
  const name = oneLine(creator)
  return {
    subject: '投稿を購入しました',
    parts: [
      line(`${name}さんの投稿を購入しました。今すぐご覧いただけます。`),
      {
        is: 'facts',
        facts: [
          ['商品', itemOf(creator, 'post', title)],
          ['お支払い', `${yen(amount)}（うち消費税10% ${yen(taxInside(amount))}）`],
          ['日時', japaneseTime(at)],
          ['決済番号', paymentId],
        ],
      },
      { is: 'link', label: '投稿を見る', url },
      line(
        '返金のご相談は、決済番号を添えて運営者までご連絡ください。連絡先は「特定商取引法に基づく表記」にあります。',
      ),
      line(`${publicUrl}/settings/commercial-transactions-act`),
    ],
    foot: [
      '投稿を購入されたため、お送りしています。',
      'お心当たりがないときは、パスワードを変更し、運営者にご連絡ください。',
    ],
  }
}

interface BoughtKept {
  /** Name of the creator whose account was deleted. */
  readonly creator: string
  /** How many bought posts can still be read. */
  readonly count: number
  /** Until when, ms since 1970. */
  readonly until: number
}

export function boughtKept({ creator, count, until }: BoughtKept, publicUrl: string): EmailText {
  return {
    subject: '購入した投稿のクリエイターのアカウントが削除されました',
    parts: [
      line(
        `${oneLine(creator)}さんのアカウントは削除されました。購入した投稿${count}件は、${japaneseTime(until)}まで、購入履歴からご覧いただけます。その後に削除します。`,
      ),
      { is: 'link', label: '購入履歴を見る', url: `${publicUrl}/purchase-history` },
      line('領収書は、その後も購入履歴から発行できます。'),
    ],
    foot: ['投稿を購入されたため、お送りしています。'],
  }
}

interface Refund {
  readonly creator: string
  /** As in `Purchase`. */
  readonly title?: string
  readonly of: 'post' | 'plan'
  /** Whole yen, tax included. */
  readonly amount: number
  /** Whether more was paid. */
  readonly isPart: boolean
  /** Of the operator, or ''; emails that were queued by an earlier version have none. */
  readonly reason?: string
  readonly at: number
  readonly paymentId: string
}

export function refund(
  { creator, of, title, amount, isPart, reason = '', at, paymentId }: Refund,
  publicUrl: string,
): EmailText {
  const item = itemOf(creator, of, title)
  return {
    subject: '返金のお知らせ',
    parts: [
      line(
        `${item}のお支払い${isPart ? 'の一部を' : 'を'}返金します。カードへの返金の時期は、カード会社により異なります。`,
      ),
      {
        is: 'facts',
        facts: [
          ['商品', item],
          ['返金額', yen(amount)],
          ['日時', japaneseTime(at)],
          ['決済番号', paymentId],
          ...(reason === '' ? [] : [['理由', oneLine(reason)] as const]),
        ],
      },
      { is: 'link', label: '購入履歴を見る', url: `${publicUrl}/purchase-history` },
    ],
    foot: ['お支払いを返金したため、お送りしています。'],
  }
}

interface Surplus {
  readonly creator: string
  /** As in `Purchase`. */
  readonly title?: string
  readonly of: 'post' | 'plan'
  /** Whole yen, tax included. */
  readonly amount: number
  readonly reason: SurplusReason
  readonly at: number
  readonly paymentId: string
}

const surplusReasons = {
  bought: { post: 'すでに購入済みのため', plan: 'すでにお支払い済みのため' },
  open: { post: '購入しなくても見られる投稿だったため', plan: 'お支払いがなくても見られるため' },
  gone: { post: '投稿を購入できなくなっていたため', plan: 'プランに加入できなくなっていたため' },
  changed: { post: '申込みの内容と違う請求だったため', plan: '申込みの内容と違う請求だったため' },
  ended: { post: '販売が終わっていたため', plan: 'プランの加入が終わっていたため' },
} as const satisfies Record<SurplusReason, Record<Surplus['of'], string>>

export function surplus(
  { creator, of, title, amount, reason, at, paymentId }: Surplus,
  publicUrl: string,
): EmailText {
  const item = itemOf(creator, of, title)
  return {
    subject: '請求の返金のお知らせ',
    parts: [
      line(
        `${yen(amount)}が請求されましたが、${surplusReasons[reason][of]}、この請求での${of === 'post' ? '購入' : 'お支払い'}は成立していません。全額を返金します。カードへの返金の時期は、カード会社により異なります。`,
      ),
      {
        is: 'facts',
        facts: [
          ['商品', item],
          ['返金額', yen(amount)],
          ['日時', japaneseTime(at)],
          ['決済番号', paymentId],
        ],
      },
      { is: 'link', label: '購入履歴を見る', url: `${publicUrl}/purchase-history` },
    ],
    foot: ['成立しなかった請求を返金するため、お送りしています。'],
  }
}
