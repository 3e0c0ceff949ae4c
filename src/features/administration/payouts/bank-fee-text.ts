// Texts of what the bank took for a transfer file.
export const bankFeeText = {
  none: '銀行の手数料：未記録',
  recorded: (fee: string, borne: string) => `銀行の手数料：${fee}（クリエイターの負担 ${borne}）`,
  record: '手数料を記録する',
  correct: '手数料を訂正する',
  of: (act: string, row: string) => `${row}のファイルの${act}`,
  history: (count: number) => `手数料の記録（${count}件）`,
  entry: (time: string, fee: string, actor: string) => `${time}　${fee}　${actor}`,
  gone: 'アカウントを削除した担当者',
  late: (count: number) =>
    `振り込んだ月の翌月を過ぎても、銀行の手数料が未記録のファイルが${count}件あります。銀行の明細を確認して、「結果待ち」にある「作成したファイル」から記録してください。`,
  toFiles: '作成したファイルを表示する',
  sheet: {
    title: '銀行の手数料の記録',
    correction: '銀行の手数料の訂正',
    lead: '銀行の明細を見て、このファイルの振込について引かれた手数料の合計を入力してください。振り込めなかったものの手数料も含めます。',
    fee: '手数料の合計（円、税込）',
    problem: (most: string) => `0円から${most}までの数字を入力してください`,
    unchanged: 'すでに記録されている金額と同じです。',
    file: 'ファイル',
    borne: 'クリエイターの負担',
    before: 'これまでの記録',
    previewLead:
      '次の内容を帳簿に記録します。記録は消せませんが、間違えたときは、あとから訂正を記録できます。',
    done: '銀行の手数料を記録しました。',
    conflict: 'ほかの操作で、記録か振込の結果が変わりました。閉じて、新しい一覧を確認してください。',
  },
} as const
