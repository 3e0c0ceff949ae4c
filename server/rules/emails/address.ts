// Emails about a change of the email address.
import { japaneseTime, type EmailText, line } from './frame.ts'

export function changeEmailCode(code: string): EmailText {
  return {
    subject: 'メールアドレス変更のコード',
    parts: [
      line('メールアドレスを変更する画面で、次のコードを入力してください。'),
      { is: 'code', code },
      line('コードは30分間使えます。入力するまで、アドレスは変わりません。'),
    ],
    foot: [
      'このアドレスへの変更の申し込みがあったため、お送りしています。',
      'お心当たりがないときは、何もせずにこのメールを削除してください。コードをほかの人に教えないでください。',
    ],
  }
}

export function changeEmailTaken(publicUrl: string): EmailText {
  return {
    subject: 'このアドレスはすでに使われています',
    parts: [
      line(
        'ほかのアカウントのメールアドレスを、このアドレスに変更する申し込みがありました。すでにアカウントがあるため、変更はできません。',
      ),
      line('このアドレスのアカウントを使うときは、こちらからログインしてください。'),
      { is: 'link', label: 'ログインする', url: `${publicUrl}/login` },
    ],
    foot: [
      'このアドレスへの変更の申し込みがあったため、お送りしています。',
      'お心当たりがないときは、何もする必要はありません。アカウントに変更はありません。',
    ],
  }
}

/** @param to the new address, masked */
export function changeEmailRequested(to: string, publicUrl: string): EmailText {
  return {
    subject: 'メールアドレス変更の申し込みがありました',
    parts: [
      line('アカウントのメールアドレスを変更する申し込みがありました。'),
      { is: 'facts', facts: [['新しいアドレス', to]] },
      line('新しいアドレスに届いたコードが入力されるまで、アドレスは変わりません。'),
      line('お心当たりがないときは、パスワードを知られているおそれがあります。すぐに再設定してください。'),
      { is: 'link', label: 'パスワードを再設定する', url: `${publicUrl}/forgot-password/step-1` },
    ],
    foot: ['アカウントを守るため、現在のアドレスにもお送りしています。'],
  }
}

/** @param to the new address, masked */
export function emailChanged(to: string, at: number, publicUrl: string): EmailText {
  return {
    subject: 'メールアドレスが変更されました',
    parts: [
      line('アカウントのメールアドレスが変更されました。今後のお知らせは新しいアドレスに届きます。'),
      {
        is: 'facts',
        facts: [
          ['新しいアドレス', to],
          ['変更した日時', japaneseTime(at)],
        ],
      },
      line('お心当たりがないときは、すぐに運営者にご連絡ください。'),
      { is: 'link', label: '連絡先を見る', url: `${publicUrl}/settings/commercial-transactions-act` },
    ],
    foot: ['アカウントを守るため、変更前と変更後の両方のアドレスにお送りしています。'],
  }
}
