// The email about a notification.
import { type EmailText, line } from './frame.ts'

interface Notification {
  readonly title: string
  readonly quoted: string
  readonly path: string
}

export function notification({ title, quoted, path }: Notification, publicUrl: string): EmailText {
  // A name with line breaks must not add headers or lines.
  const words = title.replaceAll(/\s+/g, ' ')
  return {
    subject: words,
    parts: [
      line(`${words}。`),
      ...(quoted === '' ? [] : [line(`「${quoted}」`)]),
      { is: 'link', label: 'とどけで見る', url: publicUrl + path },
    ],
    foot: [
      '通知の設定で、この種類の通知をメールで受け取ることを選ばれているため、お送りしています。',
      `メール通知を停止する：${publicUrl}/settings/notification`,
    ],
  }
}
