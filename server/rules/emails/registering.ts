// Emails about registration.
import { type EmailText, line } from './frame.ts'

export function confirmRegistration(url: string): EmailText {
  return {
    subject: '登録を完了してください',
    parts: [
      line('とどけへの登録を受け付けました。下のリンクを開くと、登録が完了します。'),
      { is: 'link', label: '登録を完了する', url },
      line('リンクは24時間使えます。登録した端末とは別の端末で開いたときは、パスワードの入力が必要です。'),
    ],
    foot: [
      'このメールアドレスで登録の申し込みがあったため、お送りしています。',
      'お心当たりがないときは、何もせずにこのメールを削除してください。アカウントは作られません。',
    ],
  }
}

export function alreadyRegistered(publicUrl: string): EmailText {
  return {
    subject: 'すでに登録されています',
    parts: [
      line('このメールアドレスには、すでにアカウントがあります。新しい登録は行っていません。'),
      { is: 'link', label: 'ログインする', url: `${publicUrl}/login` },
      { is: 'link', label: 'パスワードを忘れたとき', url: `${publicUrl}/forgot-password/step-1` },
    ],
    foot: [
      'このメールアドレスで登録の申し込みがあったため、お送りしています。',
      'お心当たりがないときは、何もする必要はありません。アカウントに変更はありません。',
    ],
  }
}
