// Texts of the requests for sellers' data that the operator answers.
import type { WaitingRequest } from '#contract/sellers/admin-sellers.ts'

export const sellersText = {
  title: '販売者の情報の開示請求',
  lead: '支払いも本人確認もしていない人、返金した人、ブロックのある相手、情報が未登録の販売者への請求です。期限までに、開示するか、運営者が取り次ぐことを回答してください。一覧の閲覧と回答は記録されます。',
  none: '回答を待つ請求はありません',
  noneText: '購入した人と本人確認を終えた人の請求には、登録された情報がすぐに開示されます。',
  more: 'ほかにもあります。回答すると、次の請求が表示されます。',
  overdue: '期限切れ',
  from: (requester: string, creator: string) => `${requester} → ${creator}`,
  rows: {
    relation: '購入',
    blocked: 'ブロック',
    data: '登録',
    reason: '理由',
    requested: '請求',
    due: '期限',
  },
  relations: {
    buyer: 'あり',
    former: '返金または異議申し立てのあと',
    none: 'なし',
  } satisfies Record<WaitingRequest['relation'], string>,
  isBlocked: 'あり',
  hasData: '登録済み',
  noData: '未登録（販売者に登録を求めています）',
  noReason: '記入なし',
  disclose: '登録された情報を開示する',
  discloseTitle: 'この人に情報を開示しますか',
  discloseText:
    '販売者の氏名、住所、電話番号、メールアドレスを、請求した人にメールと画面で開示します。取り消せません。',
  mediate: '文で回答する',
  mediateTitle: '請求に回答します',
  note: '回答',
  noteHint: '請求した人にメールと画面で伝わります。連絡を取り次ぐ方法などを書いてください。',
  noteRequired: '回答を入力してください。',
  send: '回答を送る',
  confirm: '回答の前に、本人であることを確認してください。確認は10分間有効です。',
  done: '回答しました。',
  changed: 'すでに回答されたか、販売者の情報が登録されていません。新しい一覧を確認してください。',
  unseen:
    'この請求が一覧に表示されたことを確認できませんでした。新しい一覧で購入、ブロック、理由を確認してから、もう一度回答してください。',
  failed: '回答できませんでした。',
} as const
