// The email of a notice of the operator.
import type { NoticeEmail } from '#server/rules/email.ts'
import { type EmailText, line, oneLine } from './frame.ts'

export function notice({ title, text, path, advertising }: NoticeEmail, publicUrl: string): EmailText {
  const words = oneLine(title)
  const parts = [
    line(advertising === null ? words : `【広告】${words}`),
    ...text.split('\n\n').map(line),
    { is: 'link', label: 'とどけで見る', url: publicUrl + path } as const,
  ]
  if (advertising === null)
    return {
      subject: words,
      parts,
      foot: [
        '通知の設定で、運営からのお知らせをメールで受け取ることを選ばれているため、お送りしています。',
        `メールでのお知らせを停止する：${publicUrl}/settings/notification`,
      ],
    }
  const { sender, address, contact, unsubscribeUrl } = advertising
  return {
    subject: `【広告】${words}`,
    parts: [
      ...parts,
      {
        is: 'facts',
        facts: [
          ['送信者', sender],
          ['住所', address],
          ['お問い合わせ先', contact],
        ],
      },
    ],
    foot: [
      '通知の設定で、広告を受け取ることに同意されているため、お送りしています。',
      `広告の配信を停止する（ログインは必要ありません）：${unsubscribeUrl}`,
    ],
  }
}
