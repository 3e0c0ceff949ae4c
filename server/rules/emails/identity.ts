// Emails about the identity check.
import { type EmailText, line } from './frame.ts'

const foot = ['本人確認の書類を提出されたため、お送りしています。']

export function identityReceived(publicUrl: string): EmailText {
  return {
    subject: '本人確認の書類を受け取りました',
    parts: [
      line('本人確認の書類と動画を受け取りました。確認が終わりましたら、メールでお知らせします。'),
      { is: 'link', label: '状況を見る', url: `${publicUrl}/user/verification` },
    ],
    foot,
  }
}

export function identityApproved(publicUrl: string): EmailText {
  return {
    subject: '本人確認が完了しました',
    parts: [
      line('本人確認が完了しました。有料の投稿やプランをお使いいただけます。'),
      { is: 'link', label: 'とどけを開く', url: `${publicUrl}/` },
    ],
    foot,
  }
}

/**
 * @param reason a sentence
 * @param note the reviewer's note, or ''
 */
export function identityRejected(reason: string, note: string, publicUrl: string): EmailText {
  return {
    subject: '本人確認ができませんでした',
    parts: [
      line('ご提出いただいた内容では、本人確認ができませんでした。'),
      line(reason),
      ...(note === '' ? [] : [line(note)]),
      line('お手数ですが、内容をご確認のうえ、もう一度ご提出ください。'),
      { is: 'link', label: 'もう一度提出する', url: `${publicUrl}/user/verify-identity` },
    ],
    foot,
  }
}
