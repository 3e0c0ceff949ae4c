// Emails about inquiries: to their senders, and to authors who are requested to answer.
import { inquiryNames, outcomeNames } from '#contract/inquiries/names.ts'
import type { InquiryEmail } from '#server/rules/moderation/inquiry-email.ts'
import { type EmailText, japaneseDay, japaneseTime, line, oneLine, type Part } from './frame.ts'

const senderFoot = [
  'このメールは、お問い合わせ・申立てのフォームに入力されたメールアドレスにお送りしています。',
]
const authorFoot = ['法令にもとづく大切なお知らせのため、通知の設定にかかわらずお送りしています。']

const numberOf = ({ kind, number }: InquiryEmail): Part => ({
  is: 'facts',
  facts: [
    ['種類', inquiryNames[kind]],
    ['受付番号', String(number)],
  ],
})

/** The words of an email about an inquiry. */
export function inquiryEmail(it: InquiryEmail): EmailText {
  switch (it.is) {
    case 'inquiry_confirm':
      return confirmation(it)
    case 'inquiry_received':
      return receipt(it)
    case 'inquiry_opinion':
      return opinion(it)
    case 'inquiry_question':
    case 'inquiry_decided':
    case 'inquiry_reopened':
      return { ...news(it), foot: senderFoot }
    default:
      return it satisfies never
  }
}

const page = ({ url }: InquiryEmail, label: string): Part => ({ is: 'link', label, url })

const confirmation = (it: Extract<InquiryEmail, { is: 'inquiry_confirm' }>): EmailText => ({
  subject: 'メールアドレスの確認',
  parts: [
    line(
      `「${inquiryNames[it.kind]}」を受け付ける前に、メールアドレスを確認します。次のページでボタンを押してください。`,
    ),
    page(it, 'メールアドレスを確認する'),
    line(`${japaneseTime(it.until)}までに確認されないときは、入力された内容を削除します。`),
  ],
  foot: [...senderFoot, '心当たりがないときは、このメールを破棄してください。運営には届きません。'],
})

const receipt = (it: Extract<InquiryEmail, { is: 'inquiry_received' }>): EmailText => ({
  subject: `受け付けました（受付番号 ${it.number}）`,
  parts: [
    numberOf(it),
    ...(it.hides
      ? [line('対象の投稿を非公開にしました。判断が終わるまで、投稿した人のほかには表示されません。')]
      : []),
    line(
      `内容を確認し、${japaneseDay(it.due)}までに結果をお知らせします。状況は次のページで確認でき、取り下げもできます。`,
    ),
    page(it, '状況を確認する'),
    line('このURLを知っている人は内容を見られます。ほかの人に教えないでください。'),
  ],
  foot: senderFoot,
})

type News = Extract<InquiryEmail, { is: 'inquiry_question' | 'inquiry_decided' | 'inquiry_reopened' }>

/** Emails to the sender of a received inquiry. */
function news(it: News): Omit<EmailText, 'foot'> {
  const subject = (title: string) => `${title}（受付番号 ${it.number}）`
  if (it.is === 'inquiry_question')
    return {
      subject: subject('運営からの質問'),
      parts: [
        numberOf(it),
        line('確認のため、次の点を教えてください。'),
        line(it.text),
        page(it, '質問に答える'),
      ],
    }
  if (it.is === 'inquiry_decided')
    return {
      subject: subject('結果のお知らせ'),
      parts: [
        numberOf(it),
        { is: 'facts', facts: [['結果', outcomeNames[it.outcome]]] },
        line(it.text),
        page(it, '内容を確認する'),
      ],
    }
  return {
    subject: subject('もう一度確認します'),
    parts: [
      numberOf(it),
      line('先にお知らせした結果を取り消し、内容をもう一度確認します。新しい結果は改めてお知らせします。'),
      page(it, '状況を確認する'),
    ],
  }
}

function opinion(it: Extract<InquiryEmail, { is: 'inquiry_opinion' }>): EmailText {
  return {
    subject: `意見照会（受付番号 ${it.number}）`,
    parts: [
      line(
        it.hides
          ? 'あなたの投稿に写っている本人から、公開をやめるよう申出がありました。判断が終わるまで、この投稿を非公開にしています。'
          : 'あなたが公開した内容について申立てがありました。対応を決める前に、ご意見をうかがいます。',
      ),
      {
        is: 'facts',
        facts: [
          ['申立て', inquiryNames[it.kind]],
          ['対象', it.content],
          ...(it.name === '' ? [] : [['申立てをした人', oneLine(it.name)] as const]),
          [it.kind === 'intimate' ? '申出の理由' : '侵害されたとする権利', it.right],
          ['回答の期限', japaneseTime(it.due)],
        ],
      },
      ...(it.claim === '' ? [] : [line(it.claim)]),
      line(it.text),
      page(it, '意見照会に答える'),
      line('期限までに回答がないときは、回答がないものとして判断します。ログインは不要です。'),
    ],
    foot: authorFoot,
  }
}
