// Emails about the password.
import { japaneseTime, type EmailText, line } from './frame.ts'

/** @param mailUrl page where the recipient requests another code, or refuses further ones */
export function resetCode(code: string, mailUrl: string): EmailText {
  return {
    subject: 'パスワード再設定のコード',
    parts: [
      line('パスワードを再設定する画面で、次のコードを入力してください。'),
      { is: 'code', code },
      line('コードは30分間、コードを申し込んだ画面でだけ使えます。'),
      line(
        'その画面を閉じてしまったときや、お心当たりのないコードが届くときは、次のページで、新しいコードの受け取りや、コードのメールの停止ができます。',
      ),
      { is: 'link', label: 'コードの受け取りと停止', url: mailUrl },
    ],
    foot: [
      'パスワードの再設定の申し込みがあったため、お送りしています。',
      'お心当たりがないときは、何もする必要はありません。パスワードは変わりません。コードをほかの人に教えないでください。',
    ],
  }
}

export function passwordChanged(at: number, publicUrl: string): EmailText {
  return {
    subject: 'パスワードが変更されました',
    parts: [
      line('アカウントのパスワードが変更されました。ほかの端末はログアウトされています。'),
      { is: 'facts', facts: [['変更した日時', japaneseTime(at)]] },
      line('ご自身で変更したときは、何もする必要はありません。'),
      line('お心当たりがないときは、すぐにパスワードを再設定してください。'),
      { is: 'link', label: 'パスワードを再設定する', url: `${publicUrl}/forgot-password/step-1` },
    ],
    foot: ['アカウントを守るため、パスワードの変更があるたびにお送りしています。'],
  }
}
