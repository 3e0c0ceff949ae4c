// Texts of failed reads.
export const failureText = {
  unshown:
    'この画面を表示できませんでした。もう一度読み込んでも表示されないときは、しばらくしてからお試しください。',
  number: 'お問い合わせの際は、この番号をお伝えください。',
}
