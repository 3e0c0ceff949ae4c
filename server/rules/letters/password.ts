// Letters about the password.
import { japaneseTime, type LetterWords, line } from './frame.ts'

export function resetCode(code: string): LetterWords {
  return {
    subject: 'パスワード再設定のコード',
    parts: [
      line('パスワードを再設定する画面で、次のコードを入力してください。'),
      { is: 'code', code },
      line('コードは30分間使えます。新しいコードを受け取ると、このコードは使えなくなります。'),
    ],
    foot: [
      'パスワードの再設定の申し込みがあったため、お送りしています。',
      'お心当たりがないときは、何もする必要はありません。パスワードは変わりません。コードはだれにも教えないでください。',
    ],
  }
}

export function passwordChanged(at: number, publicUrl: string): LetterWords {
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
