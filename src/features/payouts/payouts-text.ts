// Texts of payouts to a creator.
import type { OldBalanceStep, PayoutObstacle, PayoutState } from '#contract/payouts/payouts.ts'

export const payoutsText = {
  request: {
    title: '振込の申請',
    available: '振込可能額',
    fee: '振込手数料',
    transfer: '振込額',
    due: '振込予定日',
    submit: '振込を申請する',
    confirm: (amount: string) => `${amount}の振込を申請しますか`,
    confirmText: (day: string) => `振込可能額の全額を、${day}に登録の口座へ振り込みます。`,
    done: '振込を申請しました。',
    failed: '申請できませんでした。',
    /** The available amount is another one than the page showed. */
    amountChanged: '振込可能額が変わりました。新しい金額を確認してください。',
    obstacle: '現在は申請できません。内容を確認してください。',
  },
  obstacles: (minimum: string) =>
    ({
      no_account: '振込先の口座を登録すると、申請できます。',
      too_little: `${minimum}以上になると、申請できます。`,
      this_month: '今月の振込は申請済みです。申請は月に1回です。',
      returned: '前回は振り込めませんでした。口座を変更すると、申請できます。',
    }) satisfies Record<PayoutObstacle, string>,
  old: {
    title: (amount: string) => `確定から6か月を過ぎた売上が${amount}あります`,
    steps: {
      request:
        '設定や最低額にかかわらず、1時間以内に自動で振込を申請します。最低額に満たないときの振込手数料は、とどけが負担します。',
      waits: '今月の振込のあと、翌月に自動で振込を申請します。',
      no_account: '振込先の口座を登録すると、最低額に満たない場合も、自動で振込を申請します。',
      returned:
        '前回は振り込めませんでした。口座を変更すると、最低額に満たない場合も、自動で振込を申請します。',
      cancelled: '今月の振込は取り消されました。翌月に自動で振込を申請します。',
      unidentified: '本人確認が済むと、最低額に満たない場合も、自動で振込を申請します。',
      suspended: 'アカウントの停止が解除されると、自動で振込を申請します。',
    } satisfies Record<OldBalanceStep, string>,
    identity: '本人確認',
  },
  toAccount: '振込先の口座',
  automatic: '自動で振り込む',
  automaticHint: (minimum: string) =>
    `毎月、確定した売上が${minimum}以上あれば、申請しなくても振り込みます。確定から6か月を過ぎた売上は、この設定と最低額にかかわらず振り込みます。`,
  automaticFailed: '設定を変更できませんでした。',
  history: {
    title: '振込の履歴',
    none: '振込はまだありません',
    states: {
      requested: '確認待ち',
      held: '保留中',
      approved: '振込待ち',
      exported: '銀行で手続き中',
      paid: '振込済み',
      returned: '振込不能',
      cancelled: '取り消し',
    } satisfies Record<PayoutState, string>,
    number: (number: number) => `振込番号 ${number}`,
    fee: (fee: string) => `振込手数料 ${fee}`,
    requestedAt: (day: string) => `${day}に申請`,
    due: (day: string) => `${day}に振込予定`,
    paidAt: (day: string) => `${day}に振込`,
    account: (digits: string) => `口座 ＊＊＊＊${digits}`,
    reason: (reason: string) => `理由：${reason}`,
    /** A creator abroad: the operator decides before each payout. */
    waitsForTax:
      '海外にお住まいの方への振込のため、源泉徴収が必要かどうかを運営が確認しています。確認が済むまで、振込は保留になります。',
    withheld: (amount: string, reason: string) => `源泉徴収した税金 ${amount}（${reason}）`,
    back: '金額は残高に戻りました。',
  },
} as const
