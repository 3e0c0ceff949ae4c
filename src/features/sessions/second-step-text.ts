// Texts of the second step of the sign-in.

export const secondStepText = {
  why: '2段階認証が設定されています。認証アプリに表示されたコードを入力してください。',
  code: '認証コード',
  hint: '6桁の数字です。認証アプリを使えないときは、リカバリーコードを入力してください。',
} as const
