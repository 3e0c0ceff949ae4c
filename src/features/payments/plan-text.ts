// Texts of joining a plan and of changing to another one.

const HOW_TO_CANCEL =
  '「プラン」の「加入中のプラン」で「解約」を押すと、いつでも解約できます。次のお支払いの前日までに解約すると、次回からの請求はありません。解約しても、お支払い済みの期間の終わりまで閲覧できます'

/** The final confirmation of joining a plan. */
export const planOrderText = {
  rows: {
    item: '商品',
    opens: '見られる投稿',
    seller: '販売するクリエイター',
    price: '月額',
    today: '本日のお支払い',
    payment: 'お支払いの方法と時期',
    delivery: '閲覧できる時期',
    renewal: '契約の期間と更新',
    cancelling: '解約の方法',
    refund: 'キャンセルと返金',
  },
  item: (name: string) => `プラン「${name}」`,
  thisPlan: 'このプラン限定の投稿',
  cheaper: (name: string) => `プラン「${name}」の投稿`,
  year: (amount: string) => `1年間（12回）続けたときのお支払いの合計は${amount}です。`,
  payment: (day: number, next: string) =>
    `クレジットカード。本日、1か月分を請求します。以後は、解約するまで毎月${day}日に自動で請求します（次回は${next}）。カード番号は決済画面で入力し、とどけには送られません。`,
  delivery: 'お支払いの確認後、すぐに閲覧できます。',
  renewal: '1か月ごとに、自動で更新します。続ける期間の定めはありません。',
  firstDays: (days: number, until: string) => `最初の1か月分は、本日から${until}までの${days}日間です。`,
  cancelling: (until: string) => `${HOW_TO_CANCEL}（本日加入して解約したときは${until}まで）。`,
  cancellingOf: (until: string) => `${HOW_TO_CANCEL}（変更の前に解約したときは${until}まで）。`,
  refund:
    'デジタルの商品のため、お支払いのあとの、お客さまの都合によるキャンセルと返金はお受けできません。通信販売のため、クーリング・オフの制度は適用されません。月の途中で解約しても、日割りの返金はありません。閲覧できないなどの問題があるときは、ご連絡ください。',
  offline: '加入には通信が必要です。申込みは、あとで送るために端末に保存されることはありません。',
} as const

/** The confirmation of a change to another plan of the creator. */
export const planChangeText = {
  lead: '内容を確認して、プランの変更を確定してください。',
  rows: {
    item: '変更後のプラン',
    now: '現在のプラン',
    price: '変更後の月額',
    from: '切り替わる時期',
    payment: 'お支払いの方法と時期',
  },
  monthly: '／月（税込）',
  today: 'ありません。',
  from: (day: string) =>
    `${day}のお支払いから切り替わります。それまでは、現在のプランのまま閲覧できます。切り替わるまでは、変更を取り消せます。`,
  loses: '切り替わったあとは、現在のプランだけで見られる投稿は閲覧できなくなります。',
  payment: (next: string) =>
    `現在のプランと同じクレジットカード。${next}から、解約するまで毎月、変更後の月額を自動で請求します。`,
  processing: '決済代行会社への手続きが終わるまで、「手続き中」と表示されることがあります。',
  confirm: '変更を確定する',
  done: 'プランの変更を受け付けました。',
  offline: 'プランの変更には通信が必要です。変更は、あとで送るために端末に保存されることはありません。',
} as const

/** The confirmation of a change of the card, by what its form does. */
export const cardText = {
  leads: {
    register: '内容を確認して、お支払い方法の変更を確定してください。',
    pay: '内容を確認して、お支払いとお支払い方法の変更を確定してください。',
    return: '内容を確認して、加入を続ける申込みを確定してください。',
  },
  confirms: { register: '変更を確定する', pay: 'お支払いと変更を確定する', return: '申込みを確定する' },
  rows: { plan: 'プラン', kept: '変わらないもの', before: 'これまでのカード', until: '手続きの期限' },
  none: '請求はありません。',
  day: (day: number, next: string) =>
    `以後は、解約するまで毎月${day}日に、新しいカードに自動で請求します（次回は${next}）。カード番号は決済画面で入力し、とどけには送られません。`,
  acts: {
    register: 'クレジットカード。本日の請求はありません。',
    pay: 'クレジットカード。本日、お支払いを確認できていない1か月分を請求します。',
    return: 'クレジットカード。本日、1か月分を請求します。',
  },
  kept: (joined: string) =>
    `月額、加入した日（${joined}）、閲覧できる投稿の範囲、プランの定員の枠は、変わりません。同じカードで手続きすることもできます。`,
  before: '新しいカードを確認できしだい、これまでのカードへの自動の請求を止めます。それまでは変わりません。',
  until: (at: string) => `${at}まで。過ぎたあとは、新しい加入になります。`,
  offline:
    'お支払い方法の変更には通信が必要です。手続きは、あとで送るために端末に保存されることはありません。',
  cancelling: (until: string) => `${HOW_TO_CANCEL}（次のお支払いの前に解約したときは${until}まで）。`,
  refusals: {
    conflict: '加入の状態が変わりました。新しい内容を確認して、もう一度確定してください。',
    not_found: 'プランが終了したか、クリエイターの投稿を閲覧できなくなったため、変更できません。',
    plan_closed: 'このプランはまもなく終了するため、変更できません。',
    offline: '通信できませんでした。通信状況を確認して、もう一度お試しください。',
    sales_paused: '現在、決済代行会社での手続きを受け付けていません。しばらくしてからお試しください。',
  },
  closed: {
    conflict: {
      title: 'お支払い方法を変更できません',
      text: '次回からの請求がないか、続けられる期限を過ぎたプランです。続けるときは「加入中のプラン」で手続きしてください。',
    },
    plan_closed: {
      title: 'お支払い方法を変更できません',
      text: 'このプランはまもなく終了するため、次回からの請求はありません。',
    },
    already_joined: {
      title: 'このクリエイターのプランに加入しています',
      text: '現在の加入は「加入中のプラン」で確認できます。',
    },
    not_found: {
      title: 'プランが見つかりません',
      text: '終了したか、クリエイターの投稿を閲覧できなくなった可能性があります。',
    },
  },
  toJoined: '加入中のプランを見る',
} as const

/** Why a plan cannot be ordered. */
export const planClosedText = {
  joined: {
    title: 'このプランに加入しています',
    text: 'お支払いの予定の確認と解約は「加入中のプラン」でできます。',
  },
  cancelled: {
    title: 'このプランの自動更新は止まっています',
    text: (until: string) => `${until}まで閲覧できます。続けるときは「加入中のプラン」で手続きしてください。`,
  },
  otherCancelled: {
    title: '先に加入を続ける手続きが必要です',
    text: (plan: string, until: string) =>
      `自動更新の止まったプラン「${plan}」を、${until}まで閲覧できます。プランを変更するには、先に「加入中のプラン」で、その加入を続ける手続きをしてください。`,
  },
  otherStopped: {
    title: '現在はプランを変更できません',
    text: (plan: string, until: string) =>
      `終了が決まったプラン「${plan}」に、${until}まで加入しています。そのあとに、このプランに加入できます。`,
  },
  pastDue: {
    title: '現在はプランを変更できません',
    text: (plan: string) =>
      `プラン「${plan}」のお支払いを確認できていません。お支払いの確認後に変更できます。`,
  },
  returning: {
    title: '今までの内容で加入を続けられます',
    text: (price: string, until: string) =>
      `お支払いを確認できずに終了したプランです。${until}までは、月額${price}のまま、今までと同じ範囲の投稿を見られる加入を続けられます。`,
    action: '加入を続ける',
  },
  changing: {
    title: 'このプランへの変更を受け付けています',
    text: (from: string) => `${from}のお支払いから切り替わります。取り消しは「加入中のプラン」でできます。`,
  },
  own: { title: '自分のプランです', text: '自分のプランには加入できません。' },
  notForSale: {
    title: 'このプランは加入を受け付けていません',
    text: 'クリエイターの手続きが済むまで、加入できません。',
  },
  underAge: {
    title: '18歳未満の方は加入できません',
    text: 'プランへの加入は、18歳以上の方が利用できます。',
  },
  unknown: {
    title: 'プランが見つかりません',
    text: '終了したか、クリエイターの投稿を閲覧できなくなった可能性があります。',
  },
  toPlans: '自分のプランを見る',
  toCreator: 'クリエイターのプランを見る',
  erased: '終了したプラン',
} as const
