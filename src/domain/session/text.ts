// The words of signing in and registering.

export const sessionText = {
  pitch: ['電波が途切れても、', '投稿は最後まで届きます。'],
  pitchMore: '投稿した写真や動画を、アプリを閉じても続きから送り届けます。',
  signIn: 'ログイン',
  signUp: '登録',
  signUpTitle: '新規登録',
  signUpAct: '登録する',
  noAccount: 'アカウントをお持ちでない方',
  haveAccount: 'アカウントをお持ちの方',
  email: 'メールアドレス',
  password: 'パスワード',
  showPassword: 'パスワードを表示',
  hidePassword: 'パスワードを隠す',
  name: '名前',
  nameHint: 'ほかの人に表示されます。',
  birth: '生年月日',
  birthHint: '18歳以上の方が登録できます。ほかの人には表示されません。',
  year: '年',
  month: '月',
  day: '日',
  notSignedIn: 'ログインできませんでした。もう一度お試しください。',
} as const
