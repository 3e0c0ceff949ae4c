// README.txt of a data export, which explains its files.

/**
 * README.txt, with line ends that every editor shows.
 * @param madeAt when the data were read
 */
export function exportReadme(madeAt: Date): string {
  const at = new Intl.DateTimeFormat('ja-JP', {
    timeZone: 'Asia/Tokyo',
    dateStyle: 'long',
    timeStyle: 'short',
  }).format(madeAt)
  return `${lines(at).join('\r\n')}\r\n`
}

const lines = (at: string) => [
  'とどけ　あなたのデータ',
  '',
  `${at}（日本時間）に保存されていた、あなたのデータです。`,
  '',
  '■ 入っているもの',
  'profile.json　　お名前、ユーザー名、メールアドレス、生年月日、自己紹介、リンク、ご登録いただいた氏名など',
  'posts.json　　　投稿の本文、公開範囲、価格、日時、画像の説明。files は media フォルダーの中のファイル名です',
  'people.json　　 フォローしている人、ミュートした人、ブロックした人',
  'reactions.json　いいね、コメント、通報、運営から受けた処分と異議申し立て、ログインして送ったお問い合わせ・申立て',
  'readings.json　 ここ数日に開いた投稿と、見終えた動画。それより前のものは、人数だけにしています',
  'messages.json　 送ったメッセージと受け取ったメッセージ。自分の画面から削除したものと、ブロックしている相手・されている相手から受け取ったものは入っていません。files は、送った画像と動画のファイル名、post は、添付した投稿のページです',
  'notifications.json　届いた通知。既読のものは90日間保存しています',
  'settings.json　 設定、通知の設定、パスキーの名前、2段階認証を設定した日時',
  'sessions.json　 ログイン中の端末と、ログインに使ったことのある端末',
  'purchases.json　購入した投稿、支払いの状態と領収書、購入された投稿、支払明細書、作成したプラン、加入しているプランと加入の履歴',
  'bank-account.json　売上の振込先の口座。口座番号は、安全のため下3桁だけ入れています',
  'seller.json　　販売者の情報と、ほかの販売者の情報の開示を請求した記録',
  'identity.json　 本人確認の状態。書類と動画そのものは、安全のため入れていません',
  'media フォルダー　投稿・アイコン・カバー・プランの画像と動画と、送ったメッセージの画像と動画。送信したときのまま、変換していません',
  '',
  '■ 読み方',
  '.json はテキストファイルです。文字コードは UTF-8、日時は協定世界時（UTC）です。',
  '',
  '■ 入っていないもの',
  'パスワードとログインのための符号は、だれにも読めない形で保存しているため入れていません。',
  'この端末にある下書きと送信待ちの投稿は、サーバーに届いていないため入っていません。',
  '受け取ったメッセージの画像と動画は、送った人のデータのため入れていません。',
  'あなたの投稿を購入した人がだれかは、その人の情報のため入れていません。',
  '',
  '■ お取り扱いのお願い',
  '個人情報が入っています。共有の端末に残したり、ほかの人に送ったりしないようご注意ください。',
]
