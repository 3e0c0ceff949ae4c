// Texts of a seller's page by law, and of the own data as a seller.
import type { SellerDisplay } from '#contract/sellers/own-seller.ts'
import type { SellerAnswer } from '#contract/sellers/sellers.ts'

const facts = {
  name: '氏名または名称',
  address: '住所',
  phone: '電話番号',
  email: 'メールアドレス',
}

export const sellerText = {
  lead: (creator: string) =>
    `特定商取引に関する法律第11条に基づき、${creator}さんが販売する有料の投稿とプランについて表示します。`,
  seller: '販売者',
  facts,
  hours: (hours: string) => `受付時間：${hours}`,
  onRequest: '請求があった場合は、遅滞なく開示します。',
  shownUntil: (day: string) =>
    `請求したあなたにだけ、${day}まで表示しています。購入に関する連絡のためにだけお使いください。`,
  own: 'これは、購入する人に表示される内容です。',
  edit: '販売者の情報を編集する',
  operator: 'とどけの運営者',
  operatorText:
    '申込みの受付、決済、投稿の提供は、運営者が販売者に代わって行います。販売者への連絡は、運営者でも受け付けます。',
  unknown: '販売者が見つかりません',
  unknownText: '販売している投稿とプランがないか、リンクが正しくない可能性があります。',
  toHome: 'ホームへ',
  request: {
    title: '開示の請求',
    atOnce: (creator: string) =>
      `請求すると、すぐにこの画面に表示し、メールでもお送りします。請求したことと、あなたの名前は、${creator}さんに伝え、記録します。`,
    byOperator: (days: number) =>
      `運営者が確認し、${days}日以内にメールで回答します。請求したことと、あなたの名前は、販売者に伝え、記録します。`,
    signIn: '請求するには、ログインしてください。アカウントがない方は、下の運営者の連絡先で受け付けます。',
    toSignIn: 'ログイン',
    reason: '請求の理由',
    optional: '任意',
    reasonHint: '運営者だけが読みます。販売者には伝わりません。',
    send: '開示を請求する',
    disclosed: '開示されました',
    taken: '請求を受け付けました',
    waitingTitle: '請求を受け付けています',
    waiting: (requested: string, due: string) =>
      `${requested}に受け付けました。運営者が${due}までにメールで回答します。`,
    answeredTitle: '運営者からの回答',
    answered: (day: string) => `${day}に回答しました。`,
    limit: '開示の請求は、1日に3回までです。時間をおいてからお試しください。',
  },
} as const

export const ownSellerText = {
  lead: '有料の投稿やプランを販売する人は、法律により、氏名、住所、電話番号を、表示するか、請求した人に遅滞なく開示する必要があります。',
  sealed:
    '入力した内容は暗号化して保存し、下で選んだ方法のほかに見せることはありません。氏名または名称は、あなたに届く支払明細書の宛名にもなります。登録番号を入力した場合は、領収書にも記載します。',
  see: '購入する人に見える画面',
  display: '見せ方',
  displays: {
    on_request: {
      label: '請求した人に開示する',
      hint: 'ふだんは表示しません。支払いをした人と本人確認を終えた人にはすぐに、ほかの人には運営者が確認してから開示します。だれに開示したかを、メールでお知らせします。',
    },
    published: {
      label: '公開する',
      hint: '特定商取引法に基づく表記に、ログインしていない人にも表示します。',
    },
  } satisfies Record<SellerDisplay, { label: string; hint: string }>,
  fields: {
    ...facts,
    hours: '電話の受付時間',
    registration_number: '適格請求書発行事業者の登録番号',
    registered_on: '登録年月日',
    nameHint:
      '本人確認の氏名、または登記された会社の名称を入力してください。活動名や屋号だけでは足りません。',
    addressHint: '郵便番号と、建物名・部屋番号まで入力してください。',
    phoneHint: '確実に連絡がとれる番号を入力してください。',
    emailHint: 'ログインのメールアドレスとは別のものを使えます。',
    hoursHint: '例：平日10時から17時',
    registrationHint:
      '登録すると、購入した人の領収書に氏名または名称と登録番号を記載し、あなたに代わって適格請求書として交付します。登録番号からは、国税庁の公表サイトで氏名や名称がわかります。',
    registeredHint: '登録番号が有効になった日です。この日より前に支払われた分の領収書には記載しません。',
    optional: '任意',
  },
  save: '保存する',
  saved: '販売者の情報を保存しました',
  storedAt: (time: string) => `${time}に保存しました。`,
  remove: {
    action: '販売者の情報を削除する',
    title: '販売者の情報を削除しますか',
    text: '次に保存するまで、開示の請求には運営者が対応します。販売している間は、登録が必要です。',
    removed: '販売者の情報を削除しました',
    failed: '削除できませんでした。',
  },
  needsIdentity: '先に本人確認が必要です',
  needsIdentityText: '販売者の情報は、本人確認が承認されてから登録できます。',
  toIdentity: '本人確認へ進む',
  underAge: '18歳未満の方は、登録できません',
  log: {
    title: '開示の請求の記録',
    lead: '請求から3年間保存します。ブロックした人も表示します。',
    none: '請求はまだありません。',
    gone: '退会したユーザー',
    at: (time: string) => `${time}に請求`,
    answers: {
      disclosed: '開示しました',
      mediated: '運営者が回答しました',
    } satisfies Record<SellerAnswer, string>,
    waiting: '回答待ち',
    more: '以前の請求を表示',
  },
  notice: {
    text: '販売には、販売者の情報（氏名、住所、電話番号）の登録が必要です。',
    action: '登録する',
  },
} as const
