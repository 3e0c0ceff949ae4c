// Texts of the bank account that payouts go to.
import type { AccountType } from '#contract/payouts/bank-account.ts'
import type { Residence } from '#contract/payouts/residence.ts'

const types: Record<AccountType, string> = { '1': '普通', '2': '当座', '4': '貯蓄' }

const residences = { japan: '日本', abroad: '海外' } satisfies Record<Residence, string>

export const residenceText = {
  residences,
  label: 'お住まいの国（税金の区分）',
  choices: {
    japan: {
      label: residences.japan,
      hint: '日本に住所があるか、いままで1年以上続けて日本に住んでいる（居住者）',
    },
    abroad: {
      label: residences.abroad,
      hint: '上に当てはまらない（非居住者）。振込のたびに、源泉徴収が必要かどうかを運営が確認します',
    },
  } satisfies Record<Residence, { label: string; hint: string }>,
  hint: '売上の振込で、税金を差し引く必要があるかどうかを確認するために使います。',
  /** Of an account that was stored before the question. */
  ask: {
    title: 'お住まいの国を教えてください',
    text: '売上の振込で、税金を差し引く必要があるかどうかを確認するために使います。お答えいただくまでの間も、振込は今までどおり行います。',
    action: '申告する',
    done: 'お住まいの国を申告しました。',
    conflict: 'ほかの画面で申告されたか、口座が削除されています。内容を確認してください。',
  },
  declared: (day: string) => `${day}に申告`,
  moved: 'お住まいの国が変わったときは、「変更する」から同じ口座を入力して、選び直してください。',
  abroad:
    '海外にお住まいのため、振込のたびに、源泉徴収が必要かどうかを運営が確認します。確認が済むまで、振込は保留になります。',
} as const

export const bankAccountText = {
  lead: '売上は、毎月末で締め、翌月の最後の銀行営業日にこの口座へ振り込みます。',
  types,
  /** The stored account. */
  card: {
    title: '登録している口座',
    bank: '銀行',
    branch: '支店',
    type: '預金の種類',
    number: '口座番号',
    residence: 'お住まい',
    masked: (lastDigits: string) => `＊＊＊＊${lastDigits}`,
    maskedSpoken: (lastDigits: string) => `下3桁は${Array.from(lastDigits).join(' ')}`,
    maskedHint: '安全のため、下3桁だけを表示しています。',
    changed: (day: string) => `${day}に登録`,
    change: '変更する',
    remove: '削除する',
  },
  held: (day: string) =>
    `口座の変更から3日間は、安全のため振込を停止しています。${day}から振り込めるようになります。`,
  differs:
    '口座名義が、本人確認のお名前のよみと異なります。振込の前に運営者が確認するため、振込が遅れることがあります。',
  unknown: '本人確認で確認したお名前のよみ（カタカナ）がないため、振込の前に運営者が口座名義を確認します。',
  closed: 'この支店は、統廃合などで使われなくなりました。新しい支店の口座に変更してください。',
  withdrawn: '口座の変更には、本人確認の承認が必要です。',
  needsIdentity: '振込先の口座を登録するには、本人確認の承認が必要です。',
  needsIdentityText: '売上を受け取る方を確認するため、本人確認書類と顔の動画を提出してください。',
  toIdentity: '本人確認へ進む',
  underAge: '18歳になると、振込先の口座を登録できます。',
  form: {
    newTitle: '口座の登録',
    changeTitle: '口座の変更',
    wayLabel: '口座の入力方法',
    ways: {
      bank: { label: '銀行と支店を選ぶ', hint: '銀行、信用金庫、信用組合、農協など' },
      yucho: {
        label: 'ゆうちょ銀行の記号・番号',
        hint: '通帳やキャッシュカードの数字から、店番と口座番号に変換します',
      },
    },
    bank: '銀行',
    bankHint: '名前、かな、銀行コードで検索できます。',
    branch: '支店',
    branchHint: '名前、かな、支店コードで検索できます。',
    branchFirst: '先に銀行を選んでください。',
    found: (count: number) => `${count}件の候補`,
    foundMost: (count: number) => `候補が多いため、先頭の${count}件を表示しています。`,
    none: '見つかりません。別の名前や番号でお試しください。',
    notLoaded: '候補を読み込めませんでした。通信状況をご確認ください。',
    loading: '検索しています',
    notChosen: '候補から選んでください',
    type: '預金の種類',
    number: '口座番号',
    numberHint: '7桁に満たないときは、左に0を付けて7桁にします。',
    symbol: '記号（5桁）',
    symbolHint: '「10000-2」のように「-」のあとに数字があるときは、「-」より前の5桁だけを入力してください。',
    yuchoNumber: '番号（2〜8桁）',
    converted: (branch: string, type: string, number: string) =>
      `店番 ${branch}、${type}、口座番号 ${number} に変換しました。`,
    convertedHint: '変換した結果が、記号と番号を入力すると表示されます。',
    problems: {
      digits: '数字の桁数を確認してください',
      symbol: '記号は 0 または 1 で始まる5桁の数字です',
      last: '番号の最後の数字が1ではありません。店番と口座番号がわかるときは、「銀行と支店を選ぶ」で入力してください',
    },
    yuchoUnknown:
      'この記号の店番は見つかりませんでした。記号を確認するか、「銀行と支店を選ぶ」で入力してください。',
    holder: '口座名義（カタカナ）',
    holderHint:
      '通帳のとおりに、全角のカタカナ・英数字で入力してください。姓と名の間には空白を入れます。記号は（ ） ． が使えます。',
    holderDiffers:
      'ご登録のお名前のよみと異なります。事業用の口座などで問題がなければ、このまま登録できます。',
    password: 'パスワード',
    passwordHint: 'ご本人の操作であることを確認するため、ログインのパスワードを入力してください。',
    heldNote: '変更すると、安全のため3日間は振込を停止します。変更したことをメールでお知らせします。',
    firstNote: '登録したことをメールでお知らせします。',
    store: '口座を登録する',
    change: '口座を変更する',
    cancel: 'キャンセル',
    stored: '口座を登録しました',
    changed: '口座を変更しました',
  },
  remove: {
    title: '口座の削除',
    text: '新しい口座を登録するまで、売上は振り込まれません。次に登録した口座への振込は、登録から3日間停止します。',
    action: '口座を削除する',
    cancel: 'キャンセル',
    removed: '口座を削除しました',
  },
} as const
