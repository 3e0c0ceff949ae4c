// Texts of the purchase history and of receipts.
import type { PurchaseState } from '#contract/payments/history.ts'
import type { FailureCode } from '#src/domain/api/api.ts'

export const purchaseText = {
  title: '購入履歴',
  list: '購入した投稿とプラン',
  kinds: { post: '有料の投稿', plan: 'プラン' },
  /** The month that a plan's payment paid. @param last its last day */
  period: (from: string, last: string) => `${from}〜${last}の1か月分`,
  states: {
    paid: '購入済み',
    refunded: '返金済み',
    disputed: 'カード会社が確認中',
  } satisfies Record<PurchaseState, string>,
  filters: {
    label: '購入履歴の絞り込み',
    month: '月',
    creator: 'クリエイター',
    anyMonth: 'すべて',
    anyCreator: 'すべて',
    clear: '条件をクリア',
    /** A chosen creator that the history does not have. */
    unknown: 'ほかのクリエイター',
  },
  surplus: {
    title: '成立しなかった購入の請求',
    lead: '次の請求では購入が成立していないため、全額を返金します。カードへの返金の時期は、カード会社により異なります。',
    returning: '返金手続き中',
    returned: '返金済み',
    chargedAt: (day: string) => `${day}に請求`,
    returnedAt: (day: string) => `${day}に返金`,
    number: (id: string) => `決済番号 ${id}`,
  },
  month: (year: string, month: number) => `${year}年${month}月`,
  boughtAt: (day: string) => `${day}に購入`,
  paidAt: (day: string) => `${day}にお支払い`,
  refundedAt: (day: string) => `${day}に返金`,
  partlyRefunded: (amount: string) => `一部返金 ${amount}`,
  taxIncluded: '（税込）',
  toPost: '投稿を見る',
  toCreator: 'クリエイターを見る',
  gone: 'この投稿は、現在閲覧できません。',
  /** Of a post that staff may have removed. */
  returned: '運営が削除し、元に戻らないときは、全額を返金します。',
  receipt: '領収書',
  law: '特定商取引法に基づく表記',
  /** Names of a row's links for screen readers: begins with what is shown. */
  ofPurchase: (shown: string, creator: string, day: string) => `${shown}（${creator}、${day}に購入）`,
  none: '購入したものはまだありません',
  noneText: '有料の投稿を購入するか、プランに加入すると、ここに表示され、領収書を発行できます。',
  noneFiltered: '条件に合う購入がありません',
  noneFilteredText: '月やクリエイターを変更してください。',
  find: '投稿を探す',
  more: '以前の購入を表示',
  csv: {
    save: 'CSVでダウンロード',
    busy: 'CSVを作成しています',
    failed: 'CSVを作成できませんでした。',
    done: 'CSVをダウンロードしました。',
    head: [
      '購入日',
      '種類',
      'クリエイター',
      '金額（円・税込）',
      '状態',
      '返金日',
      '返金額（円）',
      '領収書',
      '購入番号',
      'タイトル',
    ],
    issued: '発行済み',
    notIssued: '未発行',
    fileName: (filter: string) => `購入履歴${filter}.csv`,
  },
} as const

export const receiptText = {
  title: '領収書',
  unknown: '購入が見つかりません',
  unknownText: 'リンクが正しくないか、ほかのアカウントでの購入の可能性があります。',
  toHistory: '購入履歴へ',
  lead: '宛名を入力すると、領収書を発行できます。',
  leadAgain:
    '同じ番号の領収書を再発行します。領収書には「再発行」と発行の回数が、宛名を変更した場合は「宛名変更」も表示されます。',
  addressee: '宛名',
  addresseeHint: '「様」は自動で付きます。会社名の場合は「御中」まで入力してください。',
  issue: '領収書を発行する',
  reissue: '再発行する',
  issued: '領収書を発行しました。',
  offline: '領収書の発行には通信が必要です。通信状況を確認してください。',
  print: '印刷する',
  printHint: '印刷の画面で、PDFとして保存することもできます。',
  againTitle: '再発行',
  /** What a reissue is marked with. @param issue 2 for the second issue */
  again: (issue: number) => `再発行（第${issue}回の発行）`,
  readdressed: (issue: number) => `宛名変更・再発行（第${issue}回の発行）`,
  issuesTitle: '発行の記録',
  issueOf: (issue: number, day: string) => `第${issue}回 ${day}`,
  sellerHint:
    '販売者の氏名または名称は、「特定商取引法に基づく表記」から開示を請求できます。開示を受けてから再発行すると、領収書にも記載されます。',
  disputedText: 'カード会社がこのお支払いを確認しているため、領収書を発行できません。',
  paper: {
    number: '領収書番号',
    to: (addressee: string) => (/(様|御中|殿)$/.test(addressee) ? addressee : `${addressee} 様`),
    total: '領収金額',
    taxIncluded: '（税込）',
    /** The item of a post's receipt. */
    postItem: (title: string) => `有料の投稿「${title}」`,
    /** The item of a plan's receipt. @param last the last day of the paid month */
    planItem: (from: string, last: string) => `プラン（${from}〜${last}）`,
    received: '上記の金額を正に領収いたしました。',
    refunded: '返金済み',
    refundedText: (day: string) => `この購入は${day}に全額を返金しました。`,
    partlyRefunded: '一部返金',
    partlyRefundedText: (amount: string, left: string) =>
      `このうち${amount}を返金しました。差引後の金額は${left}です。`,
    rows: {
      paidAt: 'お支払い日',
      item: '品目',
      method: 'お支払い方法',
      taxed: (percent: number) => `${percent}%対象（税込）`,
      tax: (percent: number) => `うち消費税額（${percent}%）`,
      seller: '販売者',
      page: '販売者の表示',
      registration: '登録番号',
      issuedAt: '発行日',
      reissuedAt: '再発行日',
    },
    method: 'クレジットカード',
    operator: 'とどけの運営者',
    recipient: (name: string) => `代理受領：${name}が、販売者に代わって代金を受領しました。`,
    named: (seller: string, creator: string) => `${seller}（${creator}）`,
    invoice: (name: string) => `この領収書は、${name}が販売者に代わって交付する適格請求書です。`,
    noRegistration:
      'お支払い日に有効な販売者の登録番号の登録がないため、この領収書は適格請求書ではありません。',
    noInvoice: '返金した代金を含むため、この領収書は適格請求書ではありません。',
  },
} as const

/** Why a receipt was not issued, where the general sentence would not help. */
export const receiptRefusal: Partial<Record<FailureCode, string>> = {
  conflict: receiptText.disputedText,
  offline: receiptText.offline,
}
