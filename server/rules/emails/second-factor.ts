// Emails about the second factor.
import type { SecondFactorEmail } from '#server/rules/email.ts'
import { type EmailText, japaneseTime, line } from './frame.ts'

export function secondFactor({ is, at }: SecondFactorEmail, publicUrl: string): EmailText {
  const isOn = is === 'second_factor_on'
  return {
    subject: isOn ? '2段階認証を設定しました' : '2段階認証を解除しました',
    parts: [
      line(
        isOn
          ? 'アカウントの2段階認証を設定しました。次からパスワードでログインするときは、認証アプリのコードも必要です。'
          : 'アカウントの2段階認証を解除しました。次からはパスワードだけでログインできます。',
      ),
      { is: 'facts', facts: [['日時', japaneseTime(at)]] },
      line('お心当たりがないときは、すぐにパスワードを再設定し、ログイン中の端末を確認してください。'),
      isOn
        ? { is: 'link', label: '設定を見る', url: `${publicUrl}/settings/privacy-and-security` }
        : { is: 'link', label: 'パスワードを再設定する', url: `${publicUrl}/forgot-password/step-1` },
    ],
    foot: ['アカウントを守るため、2段階認証が変更されるたびにお送りしています。'],
  }
}
