// Letters about ways into the account.
import { japaneseTime, type LetterWords, line } from './frame.ts'

interface SignIn {
  readonly device: string
  readonly place: string
  readonly at: number
}

export function newSignIn({ device, place, at }: SignIn, publicUrl: string): LetterWords {
  return {
    subject: '新しい端末からのログイン',
    parts: [
      line('これまでに使われたことのない端末から、アカウントへのログインがありました。'),
      {
        is: 'facts',
        facts: [
          ['端末', device],
          ['場所', place],
          ['日時', japaneseTime(at)],
        ],
      },
      line('ご自身のログインであれば、何もする必要はありません。'),
      line('お心当たりがないときは、その端末をログアウトし、パスワードを変更してください。'),
      { is: 'link', label: 'ログイン中の端末を見る', url: `${publicUrl}/settings/privacy-and-security` },
    ],
    foot: ['アカウントを守るため、新しい端末からのログインがあるたびにお送りしています。'],
  }
}

export function passkeyAdded(name: string, at: number, publicUrl: string): LetterWords {
  return {
    subject: 'パスキーが追加されました',
    parts: [
      line('アカウントにパスキーが追加されました。このパスキーでログインできるようになります。'),
      {
        is: 'facts',
        facts: [
          ['パスキー', name],
          ['追加した日時', japaneseTime(at)],
        ],
      },
      line('お心当たりがないときは、そのパスキーを削除し、パスワードを変更してください。'),
      { is: 'link', label: 'パスキーを見る', url: `${publicUrl}/settings/privacy-and-security` },
    ],
    foot: ['アカウントを守るため、パスキーが追加されるたびにお送りしています。'],
  }
}
