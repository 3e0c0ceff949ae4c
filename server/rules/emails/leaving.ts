// Emails about account deletion and data exports.
import { japaneseDay, japaneseTime, type EmailText, line } from './frame.ts'

export function deletionRequested(due: number, undoUrl: string): EmailText {
  return {
    subject: 'アカウントの削除を受け付けました',
    parts: [
      line('アカウントの削除を受け付けました。投稿とプロフィールは、すでにほかの人から見えません。'),
      { is: 'facts', facts: [['削除する日時', japaneseTime(due)]] },
      line('それまでは取り消せます。取り消すと、すべて元に戻ります。'),
      { is: 'link', label: '削除を取り消す', url: undoUrl },
    ],
    foot: [
      'アカウントの削除の申し込みがあったため、お送りしています。',
      'お心当たりがないときは、上のリンクから取り消し、パスワードを変更してください。',
    ],
  }
}

export function deletionUndone(publicUrl: string): EmailText {
  return {
    subject: 'アカウントの削除を取り消しました',
    parts: [
      line('アカウントの削除を取り消しました。これまでどおりお使いいただけます。'),
      { is: 'link', label: 'とどけを開く', url: `${publicUrl}/` },
    ],
    foot: ['アカウントの削除が取り消されたため、お送りしています。'],
  }
}

export function deleted(): EmailText {
  return {
    subject: 'アカウントを削除しました',
    parts: [
      line('アカウントと、投稿やファイルなどのデータを削除しました。'),
      line('これまでとどけをお使いいただき、ありがとうございました。'),
    ],
    foot: ['アカウントの削除が終わったため、お送りしています。これが最後のメールです。'],
  }
}

export function exportReady(url: string, expires: number): EmailText {
  return {
    subject: 'データをダウンロードできます',
    parts: [
      line('ご自身のデータのダウンロード用ファイルを作成しました。'),
      { is: 'link', label: 'データをダウンロードする', url },
      line(`${japaneseDay(expires)}までダウンロードできます。リンクをほかの人に教えないでください。`),
    ],
    foot: [
      'データのダウンロードの申し込みがあったため、お送りしています。',
      'お心当たりがないときは、パスワードを変更してください。',
    ],
  }
}
