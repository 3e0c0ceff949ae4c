// Emails about sign-ins and passkeys.
import { japaneseTime, type EmailText, line } from './frame.ts'

interface SignIn {
  readonly device: string
  readonly place: string
  readonly at: number
}

export function newSignIn({ device, place, at }: SignIn, publicUrl: string): EmailText {
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

export function passkeyAdded(name: string, at: number, publicUrl: string): EmailText {
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

export function passkeyRemoved(name: string, at: number, publicUrl: string): EmailText {
  return {
    subject: 'パスキーが削除されました',
    parts: [
      line('アカウントからパスキーが削除されました。このパスキーではログインできなくなりました。'),
      {
        is: 'facts',
        facts: [
          ['パスキー', name],
          ['削除した日時', japaneseTime(at)],
        ],
      },
      line('お心当たりがないときは、すぐにパスワードを再設定し、ログイン中の端末を確認してください。'),
      { is: 'link', label: 'パスワードを再設定する', url: `${publicUrl}/forgot-password/step-1` },
    ],
    foot: ['アカウントを守るため、パスキーが削除されるたびにお送りしています。'],
  }
}

/** About an exchanged token that was used on another device: what happened, and what to do. */
export function sessionEnded({ device, place, at }: SignIn, publicUrl: string): EmailText {
  return {
    subject: '安全のためログアウトしました',
    parts: [
      line(
        'お使いの端末の古いログイン情報が、別の端末から使われました。情報が写し取られたおそれがあるため、そのログインを終了しました。',
      ),
      {
        is: 'facts',
        facts: [
          ['使われた端末', device],
          ['場所', place],
          ['日時', japaneseTime(at)],
        ],
      },
      line('もう一度ログインして、次のことをしてください。端末の下書きと送信待ちの投稿は残っています。'),
      line('1. パスワードを変更する。2. ログイン中の端末とパスキーに、心当たりのないものがないか確認する。'),
      { is: 'link', label: 'ログインして確認する', url: `${publicUrl}/settings/privacy-and-security` },
    ],
    foot: [
      'アカウントを守るため、お送りしています。',
      'ログインできないときは、ログイン画面の「パスワードを忘れた方」から再設定してください。',
    ],
  }
}
