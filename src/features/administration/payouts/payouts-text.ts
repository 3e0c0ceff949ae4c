// Texts of the operator's payouts.
import type { PayoutList } from '#contract/payouts/payout-lists.ts'
import type { AdminPayout, PayoutStop } from '#contract/payouts/admin-payouts.ts'
import type { NameCheck } from '#contract/payouts/bank-account.ts'
import type { PayoutState } from '#contract/payouts/payouts.ts'

export const payoutsText = {
  title: 'クリエイターへの振込',
  lead: '承認、ファイルの作成、結果の記録は、本人の確認のあとに行えます。一覧の閲覧と操作は記録されます。',
  lists: {
    open: '確認待ち',
    approved: '振込待ち',
    exported: '結果待ち',
    done: '完了',
  } satisfies Record<PayoutList, string>,
  none: {
    open: '確認待ちの振込はありません',
    approved: '振込待ちのものはありません',
    exported: '銀行の結果を待つ振込はありません',
    done: '完了した振込はありません',
  } satisfies Record<PayoutList, string>,
  states: {
    requested: '申請',
    held: '保留',
    approved: '承認済み',
    exported: 'ファイル作成済み',
    paid: '振込済み',
    returned: '振込不能',
    cancelled: '取り消し',
  } satisfies Record<PayoutState, string>,
  sum: (count: string, total: string) => `${count}件、合計${total}`,
  number: (number: number) => `振込番号 ${number}`,
  rows: {
    transfer: '振込額',
    fee: '手数料',
    requested: '申請',
    due: '予定日',
    holder: '照合',
    holderName: '口座名義',
    legalName: '登録の氏名',
    withheld: '源泉徴収',
    reason: '理由',
  },
  /** Of a payout to a creator who has declared to live abroad. */
  tax: {
    waits:
      '海外にお住まいと申告したクリエイターへの振込です。源泉徴収が必要かどうかを税理士に確認し、決めるまで承認できません。',
    action: '源泉徴収を決める',
    title: '源泉徴収を決めますか',
    text: '差し引いた金額は、税務署に納めるお金として帳簿に記録します。差し引かないときは0と入力してください。決めたあとは変更できません。',
    amount: '差し引く金額（円）',
    amountProblem: (most: string) => `0円から${most}までの金額を入力してください。`,
    before: '差し引く前の振込額',
    after: '差し引いた後の振込額',
    reason: '理由',
    reasonHint: 'クリエイターの振込の履歴に表示されます。',
    submit: '決めて、保留をやめる',
    decided: (amount: string, reason: string) => `${amount}（${reason}）`,
  },
  nameChecks: {
    same: '本人確認の氏名と同じです',
    differs: '本人確認の氏名と違います',
    unknown: '本人確認で照合したフリガナがないため、照合できません',
  } satisfies Record<NameCheck, string>,
  noAccount: '口座が登録されていません',
  registered: (name: string, kana: string) => `${name}（${kana}）`,
  noName: '登録なし',
  noKana: 'フリガナの登録なし',
  heldUntil: (time: string) => `口座が変更されたため、${time}まで承認もファイルの作成もできません。`,
  /** Why a payout cannot be approved, or put into a file. */
  practice:
    '練習用の決済を使っています。購入者のお金は動きません。銀行や決済代行会社で、振込や返金を実際に行わないでください。',
  stops: {
    practice: '練習用の決済での売り上げが含まれています。その支払いを返金すると、振り込めるようになります。',
    own: 'ご自分への振込です。別の管理者が操作できます。',
    no_account: '口座が削除されています。クリエイターが口座を登録するまで、ファイルに入りません。',
    held: '口座が変更されたばかりです。',
    unknown_branch:
      '口座の支店が、いまの銀行の一覧にありません。クリエイターに口座の変更を依頼してください。',
    approve_again:
      '承認のあとに口座の名義が変わったか、アカウントが停止されました。もう一度承認してください。',
    other_admin: '承認した人とは別の管理者が、ファイルを作成できます。',
    unwritable: '口座名義か銀行の名前に、ファイルに書けない文字があります。',
  } satisfies Record<PayoutStop, string>,
  creatorStates: {
    suspended: 'アカウント停止中',
    leaving: 'アカウントの削除の手続き中',
    gone: '削除されたアカウント',
  } satisfies Record<Exclude<AdminPayout['creator_state'], 'present'>, string>,
  own: 'ご自分への振込は操作できません。別の管理者が操作してください。',
  approve: '承認する',
  approveAll: 'すべて承認する',
  singleOnly: (count: string) =>
    `名義が本人確認の氏名と同じでないもの、停止中や削除の手続き中のアカウントのものが${count}件あります。1件ずつ確認して承認してください。`,
  approved: (changed: number) => `${changed}件を承認しました。`,
  approvedNone: '承認できる振込がありませんでした。口座と状態を確認してください。',
  hold: '保留する',
  release: '保留をやめる',
  cancel: '取り消す',
  paid: '振込済みにする',
  returned: '振り込めなかった',
  done: '記録しました。',
  failed: '操作できませんでした。',
  changed: 'ほかの操作で状態が変わっています。新しい一覧を確認してください。',
  unseen:
    '一覧を表示したあとに、申請、口座、氏名、アカウントの状態のいずれかが変わりました。どれも承認していません。新しい一覧の口座名義と照合を確認してから、もう一度承認してください。',
  reason: {
    hold: { title: 'この振込を保留しますか', label: '保留する' },
    cancel: { title: 'この振込を取り消しますか', label: '取り消す' },
    returned: { title: '振り込めなかったことを記録しますか', label: '記録する' },
    field: '理由',
    hint: 'クリエイターにメールで伝わります。',
    keepsFee: '銀行が振込手数料を請求する',
    keepsFeeHint: '請求されないときは、手数料もクリエイターの残高に戻ります。',
    required: '理由を入力してください。',
  },
  confirm: {
    title: '本人の確認',
    text: 'お金の操作の前に、本人であることを確認してください。確認は10分間有効です。',
    done: '確認しました。もう一度操作してください。',
  },
  file: {
    title: '総合振込のファイル',
    text: '振込待ちのうち、予定日がこの日までのものを1つのファイルにします。同じ振込が2つのファイルに入ることはありません。',
    noRequester:
      '振込元の口座が設定されていません。環境変数 TRANSFER_CODE、TRANSFER_NAME、TRANSFER_BANK、TRANSFER_ACCOUNT を設定してください。',
    day: '振込を指定する日',
    dayInvalid: '銀行の営業日を選んでください。',
    make: 'ファイルを作成する',
    made: (count: number, total: string) => `${count}件、合計${total}のファイルを作成しました。`,
    nothing: 'ファイルにできる振込がありません。予定日と、一覧にある理由を確認してください。',
    refused: (payout: string) =>
      `${payout}をファイルにできません。口座を確認してください。ファイルは作成していません。`,
    leftOut: (count: number) => `${count}件はこのファイルに入っていません`,
    leftOutMade: (count: number) =>
      `${count}件はファイルに入っていません。理由は、作成したファイルの一覧で確認してください。`,
    leftOutRow: (payout: string, why: string) => `${payout}：${why}`,
    list: '作成したファイル',
    row: (day: string, count: number, total: string) => `${day}の振込、${count}件、${total}`,
    download: 'ダウンロード',
    removed: '保存期間が終わりました',
    void: '無効にする',
    voidLabel: (row: string) => `${row}のファイルを無効にする`,
    voided: (time: string) => `無効（${time}）`,
    voidedDone: (count: number) => `ファイルを無効にしました。${count}件を次のファイルに入れられます。`,
    voidSheet: {
      title: 'このファイルを無効にしますか',
      text: '銀行がファイルを受け付けず、1件も振り込んでいないときの操作です。このファイルはダウンロードできなくなり、振込は次のファイルに入ります。クリエイターに連絡は届きません。',
      hint: '記録に残ります。',
      notExecuted: '銀行の画面で、このファイルの振込が1件も実行されていないことを確認しました',
      notExecutedRequired:
        '実行されていないことを確認してください。実行されたファイルを無効にすると、2回振り込まれます。',
    },
  },
  results: {
    title: '銀行の結果の取り込み',
    text: '銀行からダウンロードした結果のファイルを選ぶと、振込済みと振り込めなかったものが記録されます。同じファイルを2回選んでも、2回記録されることはありません。',
    choose: '結果のファイルを選ぶ',
    busy: '取り込んでいます',
    result: (paid: number, returned: number) => `振込済み：${paid}件、振込不能：${returned}件`,
    unknown: (numbers: string) => `当てはまる振込がない番号：${numbers}`,
    unreadable: (lines: string) => `このファイルは読み取れません${lines}。何も記録していません。`,
    lines: (lines: string) => `（${lines}行目）`,
    header: (field: string) =>
      `このファイルの${field}が、銀行に送ったファイルと違います。何も記録していません。`,
    differs: (payout: string, field: string) =>
      `${payout}の${field}が、銀行に送ったファイルと違います。何も記録していません。`,
    own: (payout: string) =>
      `${payout}はご自分への振込です。別の管理者が取り込んでください。何も記録していません。`,
    fields: {
      requesterCode: '委託者コード',
      payoutNumber: '振込番号',
      bankCode: '銀行番号',
      branchCode: '支店番号',
      accountType: '口座の種類',
      accountNumber: '口座番号',
      amount: '振込額',
    } as Readonly<Record<string, string>>,
    tooLarge: 'ファイルが大きすぎます。',
  },
} as const
