// Emails about a recovery of sign-in that staff began.
import type { RecoveryEmail } from '#server/rules/email.ts'
import { type EmailText, japaneseTime, line } from './frame.ts'

export function recovery(email: RecoveryEmail, publicUrl: string): EmailText {
  switch (email.is) {
    case 'recovery_begun':
      return {
        subject: 'ログインの復旧のご案内',
        parts: [
          line('ログインできないとのご連絡を受け、運営がアカウントの復旧を始めました。'),
          { is: 'link', label: '復旧を続ける', url: email.url },
          line(
            '続けると、すべての端末からログアウトします。その24時間後に、パスキーと2段階認証を解除します。パスワードと投稿はそのままです。',
          ),
          { is: 'facts', facts: [['リンクの期限', japaneseTime(email.expires)]] },
        ],
        foot: [
          'ログインできないとのご連絡があったため、お送りしています。',
          'お心当たりがないときは、リンクを開かないでください。何も変わりません。',
        ],
      }
    case 'recovery_confirmed':
      return {
        subject: 'パスキーと2段階認証を解除する予定です',
        parts: [
          line('アカウントの復旧が始まりました。次の日時から1時間以内に、パスキーと2段階認証を解除します。'),
          { is: 'facts', facts: [['解除する日時', japaneseTime(email.due)]] },
          line('お心当たりがないときは、すぐに復旧を中止し、メールのパスワードを変更してください。'),
          { is: 'link', label: '復旧を中止する', url: email.stopUrl },
        ],
        foot: [
          'アカウントを守るため、お送りしています。',
          'パスキー、または2段階認証でログインしたときも、復旧は中止されます。',
        ],
      }
    case 'recovery_done':
      return {
        subject: 'パスキーと2段階認証を解除しました',
        parts: [
          line(
            'アカウントの復旧が終わり、パスキーと2段階認証を解除しました。パスワードでログインしてください。',
          ),
          { is: 'facts', facts: [['解除した日時', japaneseTime(email.at)]] },
          { is: 'link', label: 'ログインする', url: `${publicUrl}/login` },
          line('ログインしたら、パスキーか2段階認証をもう一度設定してください。'),
        ],
        foot: [
          'アカウントを守るため、お送りしています。',
          'パスワードを忘れたときは、ログイン画面の「パスワードを忘れた方」から再設定してください。',
        ],
      }
    default:
      return email satisfies never
  }
}
