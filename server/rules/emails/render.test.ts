// Each kind of email as text and HTML, and the escaping of user text.
import { describe, expect, test } from 'vitest'
import type { Email } from '#server/rules/email.ts'
import { line, renderFrame } from './frame.ts'
import { refund } from './purchase.ts'
import { renderEmail } from './render.ts'

const home = 'https://todoke.example'
const at = Date.parse('2026-11-21T11:05:00Z')
const when = '2026年11月21日 20:05（日本時間）'

const sellerPage = `${home}/profile/seller/1`
const plans = `${home}/plan?tab=joined`
const names = { creator: '汐見はる', plan: '夜の部屋', url: plans }
/** The end of 21 November in Asia/Tokyo. */
const midnight = Date.parse('2026-11-21T15:00:00Z')

/** Every kind, and the texts that both of its forms must contain. */
const payout = {
  number: 12,
  amount: 10_000,
  fee: 250,
  reason: '',
  url: `${home}/settings/sales-management/payouts`,
}

const changed = {
  amount: 1200,
  paymentId: 'p-1',
  reason: 'ご案内の誤り',
  url: `${home}/settings/sales-management`,
}

const decided = { text: '規約をご確認ください。', url: `${home}/appeal#decision=1&token=t` }
const soldBy = {
  sender: '株式会社とどけ',
  address: '大阪市北区1-2-3',
  contact: 'info@todoke.example',
  unsubscribeUrl: `${home}/api/notice-emails/1.abc`,
}

const inquiry = { kind: 'copyright', number: 7, url: `${home}/contact?request=1#token=t` } as const

const kinds: { [Is in Email['is']]: [email: Extract<Email, { is: Is }>, says: readonly string[]] } = {
  measure: [
    {
      is: 'measure',
      ...decided,
      excerpt: '投稿の最初の言葉',
      rule: 'harassment',
      measures: [
        { kind: 'remove', until: null },
        { kind: 'suspend', until: at },
      ],
      appealUntil: midnight,
    },
    [
      '投稿の最初の言葉',
      '嫌がらせ',
      '削除',
      `利用停止（${when}まで）`,
      '規約をご確認ください。',
      '2026年11月22日 00:00',
      '/appeal#decision=1',
    ],
  ],
  suspension_link: [
    { is: 'suspension_link', url: `${home}/appeal#decision=1&token=t` },
    ['利用を停止', '領収書', '/appeal#decision=1'],
  ],
  measure_undone: [
    {
      is: 'measure_undone',
      measures: ['remove', 'suspend'],
      url: `${home}/settings/reports?show=decisions`,
    },
    ['取り消しました', '利用停止', 'ログインできます', '/settings/reports?show=decisions'],
  ],
  appeal_answered: [
    { is: 'appeal_answered', ...decided, granted: true },
    ['取り消しました', '規約をご確認ください。'],
  ],
  inquiry_confirm: [
    { is: 'inquiry_confirm', ...inquiry, until: at },
    ['著作権侵害の申告', `${when}までに`, '/contact?request=1#token=t', '運営には届きません'],
  ],
  inquiry_received: [
    { is: 'inquiry_received', ...inquiry, kind: 'intimate', due: midnight, hides: true },
    ['受付番号', '2026年11月22日', '投稿を非公開にしました'],
  ],
  inquiry_question: [
    { is: 'inquiry_question', ...inquiry, text: '原作の題名を教えてください。' },
    ['原作の題名を教えてください。', '質問に答える'],
  ],
  inquiry_opinion: [
    {
      is: 'inquiry_opinion',
      ...inquiry,
      name: '株式会社\n原作',
      content: `${home}/post/1`,
      right: '複製権',
      claim: '表紙を複製しています。',
      text: '期限までにお答えください。',
      due: at,
      hides: false,
    },
    ['意見照会', '株式会社 原作', `${home}/post/1`, '複製権', '表紙を複製しています。', when],
  ],
  inquiry_decided: [
    { is: 'inquiry_decided', ...inquiry, outcome: 'refused', text: '引用の範囲と判断しました。' },
    ['対応しませんでした', '引用の範囲と判断しました。'],
  ],
  inquiry_reopened: [{ is: 'inquiry_reopened', ...inquiry }, ['もう一度確認します']],
  bank_account_stored: [
    {
      is: 'bank_account_stored',
      place: 'みずほ 東京営業部',
      number: '＊＊＊＊123',
      at,
      heldUntil: at + 3 * 24 * 3600_000,
    },
    [
      '変更されました',
      'みずほ 東京営業部',
      '＊＊＊＊123',
      when,
      '11月24日 20:05',
      `${home}/forgot-password/step-1`,
    ],
  ],
  bank_account_removed: [
    { is: 'bank_account_removed', at },
    [when, '振り込まれません', `${home}/forgot-password/step-1`],
  ],
  confirm_registration: [
    { is: 'confirm_registration', url: `${home}/confirmed#token=abc` },
    [`${home}/confirmed#token=abc`, '24時間', 'お心当たりがないとき'],
  ],
  already_registered: [
    { is: 'already_registered' },
    [`${home}/login`, `${home}/forgot-password/step-1`, 'すでにアカウントがあります'],
  ],
  reset_code: [
    { is: 'reset_code', code: '012345', mailUrl: `${home}/forgot-password/mail#token=xyz` },
    ['012345', '30分間', 'ほかの人に教えない', `${home}/forgot-password/mail#token=xyz`, '停止'],
  ],
  password_changed: [{ is: 'password_changed', at }, [when, `${home}/forgot-password/step-1`]],
  new_sign_in: [
    { is: 'new_sign_in', device: 'iPhone の Safari', place: '日本 大阪市', at },
    ['iPhone の Safari', '日本 大阪市', when, `${home}/settings/privacy-and-security`],
  ],
  passkey_added: [
    { is: 'passkey_added', name: '私の鍵', at },
    ['私の鍵', when, `${home}/settings/privacy-and-security`],
  ],
  passkey_removed: [
    { is: 'passkey_removed', name: '私の鍵', at },
    ['私の鍵', when, `${home}/forgot-password/step-1`],
  ],
  second_factor_on: [
    { is: 'second_factor_on', at },
    ['設定しました', when, `${home}/settings/privacy-and-security`],
  ],
  second_factor_off: [
    { is: 'second_factor_off', at },
    ['解除しました', when, `${home}/forgot-password/step-1`],
  ],
  recovery_begun: [
    { is: 'recovery_begun', url: `${home}/user/account-recovery#token=abc`, expires: at },
    [`${home}/user/account-recovery#token=abc`, when, 'お心当たりがないとき'],
  ],
  recovery_confirmed: [
    { is: 'recovery_confirmed', stopUrl: `${home}/user/account-recovery#stop=abc`, due: at },
    [`${home}/user/account-recovery#stop=abc`, when, '中止'],
  ],
  recovery_done: [{ is: 'recovery_done', at }, [when, `${home}/login`]],
  staff_act: [
    { is: 'staff_act', act: 'end_sessions', reason: 'account_taken', at },
    ['すべての端末', '第三者による利用のおそれ', when, `${home}/forgot-password/step-1`],
  ],
  session_ended: [
    { is: 'session_ended', device: 'Windows の Edge', place: '日本 大阪市', at },
    ['Windows の Edge', '日本 大阪市', when, `${home}/settings/privacy-and-security`, 'パスワードを変更する'],
  ],
  change_email_code: [
    { is: 'change_email_code', code: '987654' },
    ['987654', '30分間', 'アドレスは変わりません'],
  ],
  change_email_taken: [{ is: 'change_email_taken' }, [`${home}/login`, '変更はできません']],
  change_email_asked: [
    { is: 'change_email_asked', to: 'h***@example.com' },
    ['h***@example.com', `${home}/forgot-password/step-1`],
  ],
  email_changed: [
    { is: 'email_changed', to: 'h***@example.com', at },
    ['h***@example.com', when, `${home}/settings/commercial-transactions-act`],
  ],
  deletion_asked: [
    {
      is: 'deletion_asked',
      due: at,
      undoUrl: `${home}/undo#token=xyz`,
      plans: [names, { creator: '朝倉ゆう', plan: '' }],
      members: 3,
      money: { balance: 6300, isPaid: true },
    },
    [
      when,
      '残高は6,300円です。',
      `${home}/undo#token=xyz`,
      '取り消せます',
      '汐見はるさんのプラン「夜の部屋」、朝倉ゆうさんのプランの自動更新を止めました。削除を取り消しても、自動では再開しません。',
      'メンバー3人への請求を止めます。',
    ],
  ],
  deletion_undone: [
    { is: 'deletion_undone', plans: [names], members: 3 },
    [
      'メンバー3人への請求は、止まったままです。',
      '取り消しました',
      '汐見はるさんのプラン「夜の部屋」の自動更新は、止まったままです。',
      plans,
    ],
  ],
  deleted: [
    { is: 'deleted', money: { balance: 6300, isPaid: true } },
    ['削除しました', '残高6,300円の全額を、登録の口座に手数料なしで振り込みます。'],
  ],
  export_ready: [
    { is: 'export_ready', url: `${home}/export#token=q`, expires: at },
    [`${home}/export#token=q`, '2026年11月21日'],
  ],
  notification: [
    { is: 'notification', title: '花さんがコメントしました', quoted: '海ですね', path: '/post/1?uidc=2' },
    ['花さんがコメントしました', '海ですね', `${home}/post/1?uidc=2`, `${home}/settings/notification`],
  ],
  notice: [
    {
      is: 'notice',
      title: '夏の贈りもの',
      text: '■ 期間\n\n8月の間、手数料が下がります。',
      path: '/notify/detail/1',
      advertising: soldBy,
    },
    [
      '【広告】夏の贈りもの',
      '8月の間',
      ...Object.values(soldBy),
      `${home}/notify/detail/1`,
      'ログインは必要ありません',
    ],
  ],
  identity_received: [{ is: 'identity_received' }, ['受け取りました', `${home}/user/verification`]],
  identity_approved: [{ is: 'identity_approved' }, ['完了しました']],
  purchase: [
    { is: 'purchase', creator: '汐見はる', amount: 500, at, paymentId: 'p-1', url: `${home}/post/1` },
    ['汐見はる', '500円', '45円', when, 'p-1', `${home}/post/1`, '返金'],
  ],
  refund: [
    {
      is: 'refund',
      creator: '汐見はる',
      of: 'plan',
      amount: 500,
      isPart: true,
      reason: '動画の\n乱れ',
      at,
      paymentId: 'p-1',
    },
    ['汐見はる', 'プラン', '一部を返金', '500円', '動画の 乱れ', when, 'p-1', `${home}/purchase-history`],
  ],
  bought_kept: [
    { is: 'bought_kept', creator: '汐見はる', count: 3, until: at },
    ['汐見はる', '購入した投稿3件', when, `${home}/purchase-history`],
  ],
  surplus: [
    {
      is: 'surplus',
      creator: '汐見はる',
      of: 'post',
      amount: 500,
      reason: 'gone',
      at,
      paymentId: 'p-1',
    },
    ['汐見はる', '500円が請求されました', '投稿を購入できなくなっていたため', '全額を返金', when, 'p-1'],
  ],
  sale_refunded: [{ is: 'sale_refunded', ...changed }, ['1,200円', 'p-1', 'ご案内の誤り', changed.url]],
  sale_disputed: [{ is: 'sale_disputed', ...changed }, ['1,200円', 'カード会社', '差し引きました']],
  dispute_won: [{ is: 'dispute_won', ...changed }, ['残高に戻しました']],
  dispute_lost: [{ is: 'dispute_lost', ...changed }, ['戻りません']],
  dispute_covered: [{ is: 'dispute_covered', ...changed }, ['運営が補い']],
  fee_rate: [
    { is: 'fee_rate', rate: 850, before: 1000, from: at, reason: '', url: changed.url },
    ['8.5%', '10%', when, 'それまでの売上'],
  ],
  complimentary: [
    { is: 'complimentary', ...names, until: at, reason: 'お詫び', url: `${home}/profile/1` },
    ['汐見はるさんの「夜の部屋」', when, 'お詫び', '料金はかからず', `${home}/profile/1`],
  ],
  complimentary_given: [
    {
      is: 'complimentary_given',
      member: '葵',
      plan: '夜の部屋',
      until: at,
      amount: 1200,
      reason: '',
      url: changed.url,
    },
    ['葵さん', '夜の部屋', '1,200円', when],
  ],
  membership_joined: [
    {
      is: 'membership_joined',
      ...names,
      amount: 500,
      at,
      paymentId: 'p-1',
      nextChargeAt: at,
      thanks: 'ありがとう。\n<3',
    },
    ['夜の部屋', '500円', '45円', when, 'p-1', '2026年11月21日', 'ありがとう。', plans, '解約'],
  ],
  membership_renewed: [
    { is: 'membership_renewed', ...names, amount: 500, at, paymentId: 'p-2', nextChargeAt: at },
    ['夜の部屋', '500円', 'p-2', '2026年11月21日', plans],
  ],
  membership_past_due: [
    { is: 'membership_past_due', ...names, amount: 500 },
    ['夜の部屋', '500円', '確認できませんでした', plans],
  ],
  membership_card: [
    { is: 'membership_card', ...names, amount: 500, nextChargeAt: midnight },
    ['お支払い方法を変更しました', '2026年11月22日', '500円', plans],
  ],
  membership_card_expires: [
    { is: 'membership_card_expires', ...names, month: '2026-12' },
    ['2026年12月', 'お支払い方法を変更する', plans],
  ],
  membership_cancelling: [
    { is: 'membership_cancelling', ...names, why: 'cancelled', until: midnight },
    ['解約を受け付けました', '2026年11月21日まで閲覧できます', plans],
  ],
  membership_resumed: [
    { is: 'membership_resumed', ...names, amount: 500, nextChargeAt: midnight },
    ['自動更新を再開しました', '2026年11月22日', '500円', plans],
  ],
  membership_ended: [
    { is: 'membership_ended', ...names, why: 'payment_failed', returnUntil: midnight },
    ['終了しました', '2026年11月22日', '同じ月額', plans],
  ],
  membership_next: [
    { is: 'membership_next', ...names, nextPlan: '朝の部屋', amount: 800, from: midnight },
    ['朝の部屋', '800円', '2026年11月22日', plans],
  ],
  plan_closing: [
    { is: 'plan_closing', ...names, endsAt: midnight, nextChargeAt: null },
    ['2026年11月21日に終了します', '請求はありません', plans],
  ],
  plan_price: [{ is: 'plan_price', ...names, offered: 800, amount: 500 }, ['800円', '500円', '同意', plans]],
  payout_paid: [{ is: 'payout_paid', ...payout }, ['9,750円', '250円', payout.url]],
  payout_returned: [
    { is: 'payout_returned', ...payout, reason: '口座名義が違います。' },
    ['口座名義が違います。', '残高に戻しました', payout.url],
  ],
  payout_held: [{ is: 'payout_held', ...payout, reason: '確認中です。' }, ['確認中です。', '保留']],
  payout_cancelled: [{ is: 'payout_cancelled', ...payout, reason: '重複です。' }, ['重複です。', '取り消し']],
  old_balance: [
    {
      is: 'old_balance',
      step: 'request',
      amount: 450,
      fee: 0,
      dueOn: '2027-06-30',
      url: payout.url,
    },
    ['450円', 'とどけが負担', '2027年6月30日', payout.url],
  ],
  statement: [
    {
      is: 'statement',
      month: '2026-11',
      net: 4500,
      balance: 12_000,
      url: `${home}/settings/sales-management/statement?id=0192f0c0-0000-7000-8000-000000000000`,
    },
    ['2026年11月分', '4,500円', '12,000円', `${home}/settings/sales-management/statement?id=`],
  ],
  seller_disclosed: [
    {
      is: 'seller_disclosed',
      creator: '汐見はる',
      seller: '山田花子',
      address: '東京都千代田区一番町1-1',
      phone: '03-1234-5678',
      contact: 'hanako@example.com',
      hours: '平日10時から17時',
      url: sellerPage,
    },
    ['山田花子', '一番町1-1', '03-1234-5678', 'hanako@example.com', '平日10時', '記録', sellerPage],
  ],
  seller_request_taken: [
    { is: 'seller_request_taken', creator: '汐見はる', due: at, url: sellerPage },
    ['汐見はる', when, '運営者', sellerPage],
  ],
  seller_mediated: [
    { is: 'seller_mediated', creator: '汐見はる', note: '連絡は運営者が取り次ぎます。', url: sellerPage },
    ['汐見はる', '取り次ぎます。', sellerPage],
  ],
  seller_requested: [
    {
      is: 'seller_requested',
      state: 'disclosed',
      requester: '花（@hana）',
      at,
      url: `${home}/settings/seller`,
    },
    ['花（@hana）', when, '開示しました', `${home}/settings/seller`],
  ],
  seller_missing: [
    { is: 'seller_missing', due: at, url: `${home}/settings/seller` },
    [when, '登録されていません', `${home}/settings/seller`],
  ],
  seller_stored: [
    { is: 'seller_stored', published: true, at, url: sellerPage },
    ['公開されました', when, sellerPage],
  ],
  seller_removed: [{ is: 'seller_removed', at }, ['削除されました', when]],
  identity_rejected: [
    { is: 'identity_rejected', reason: '書類の文字が読み取れませんでした。', note: '裏面が暗いです。' },
    ['書類の文字が読み取れませんでした。', '裏面が暗いです。', `${home}/user/verify-identity`],
  ],
}

/** Emails without a part that only some of their kind have, or with the other of two sentences. */
const otherForms: Email[] = [
  {
    is: 'measure',
    ...decided,
    excerpt: '',
    rule: 'spam',
    measures: [{ kind: 'warn', until: null }],
    appealUntil: midnight,
  },
  { is: 'measure_undone', measures: ['hide'], url: `${home}/settings/reports?show=decisions` },
  { is: 'appeal_answered', ...decided, granted: false },
  {
    is: 'inquiry_opinion',
    ...inquiry,
    kind: 'intimate',
    name: '',
    content: `${home}/post/1`,
    right: '同意なく撮影または公開された',
    claim: '',
    text: '期限までにお答えください。',
    hides: true,
    due: at,
  },
  { is: 'bank_account_stored', place: 'みずほ 東京営業部', number: '＊＊＊＊123', at, heldUntil: null },
  { is: 'notice', title: '夏の\n贈りもの', text: '期間です。', path: '/notify/detail/1', advertising: null },
  {
    is: 'refund',
    creator: '汐見はる',
    of: 'post',
    amount: 500,
    isPart: false,
    reason: '',
    at,
    paymentId: 'p-1',
  },
  {
    is: 'membership_joined',
    ...names,
    amount: 500,
    at,
    paymentId: 'p-1',
    nextChargeAt: at,
    thanks: '',
  },
  {
    is: 'seller_disclosed',
    creator: '汐見はる',
    seller: '山田花子',
    address: '東京都千代田区一番町1-1',
    phone: '03-1234-5678',
    contact: 'hanako@example.com',
    hours: '',
    url: sellerPage,
  },
]

test('each email reads as in transcript.txt', async () => {
  const rendered = Object.values(kinds).map(([email]) => {
    const { subject, text } = renderEmail(email, '花子', home)
    return `# ${email.is}\n${subject}\n\n${text}`
  })
  const withoutExtras: Email[] = [
    { is: 'notification', title: '花さんが\nフォローしました', quoted: '', path: '/idol/2' },
    { is: 'membership_renewed', ...names, amount: 500, at, paymentId: 'p-3', nextChargeAt: null },
    { is: 'plan_closing', ...names, endsAt: midnight, nextChargeAt: midnight },
    { is: 'seller_requested', state: 'waiting', requester: '花', at, url: `${home}/settings/seller` },
    { is: 'seller_requested', state: 'missing', requester: '花', at, url: `${home}/settings/seller` },
    { is: 'seller_stored', published: false, at, url: sellerPage },
    { is: 'identity_rejected', reason: '動画に顔が映っていませんでした。', note: '' },
    ...otherForms,
  ]
  const shorter = withoutExtras.map((email) => {
    const { subject, text } = renderEmail(email, '', home)
    return `# ${email.is}, without what it may lack\n${subject}\n\n${text}`
  })
  await expect([...rendered, ...shorter].join('\n')).toMatchFileSnapshot('transcript.txt')
})

test('each part of an email is written in HTML as in transcript.html', async () => {
  const { html } = renderFrame(
    {
      subject: '件名',
      parts: [
        line('一行です。'),
        line('改行のある\n段落です。'),
        { is: 'code', code: '012345' },
        {
          is: 'facts',
          facts: [
            ['端末', 'iPhone'],
            ['場所', '大阪市'],
          ],
        },
        { is: 'link', label: 'ログインする', url: `${home}/login?a=1&b=2` },
      ],
      foot: ['理由です。', '次にすることです。'],
    },
    '花子',
  )
  await expect(html).toMatchFileSnapshot('transcript.html')
})

describe.each(Object.entries(kinds))('%s', (_, [email, says]) => {
  test('has its required texts, the recipient and the reason, in text and HTML', () => {
    const { subject, text, html } = renderEmail(email, '花子', home)
    expect(subject).toMatch(/^.{5,40}｜とどけ$/u)
    for (const form of [text, html]) {
      for (const words of says) expect(form).toContain(words)
      expect(form).toContain('花子 様')
      expect(form).toContain('お送りしています')
    }
  })

  test('loads and runs nothing, and has no greeting without a name', () => {
    const { text, html } = renderEmail(email, '', home)
    expect(html).not.toMatch(/<(img|script|link|iframe|form|object)|url\(|@import|src=/i)
    expect(text + html).not.toContain('様')
    for (const [, url] of html.matchAll(/href="([^"]*)"/g))
      expect(url).toMatch(/^https:\/\/todoke\.example\//)
  })
})

const evil = '<script>alert("1")</script>&\'"'

test('user text is escaped: in a name, a device, a key’s name, a note', () => {
  const emails: Email[] = [
    { is: 'deleted' },
    { is: 'new_sign_in', device: evil, place: evil, at },
    { is: 'passkey_added', name: evil, at },
    { is: 'passkey_removed', name: evil, at },
    { is: 'session_ended', device: evil, place: evil, at },
    { is: 'identity_rejected', reason: evil, note: evil },
    { is: 'change_email_asked', to: evil },
  ]
  for (const email of emails) {
    const { html, text } = renderEmail(email, evil, home)
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;&quot;')
    expect(text).toContain(evil)
  }
})

test('a refund that an earlier version queued without a reason reads as one with an empty reason', () => {
  const queued = { creator: '汐見はる', of: 'plan', amount: 500, isPart: true, at, paymentId: 'p-1' } as const
  expect(refund(queued, home)).toEqual(refund({ ...queued, reason: '' }, home))
})

test('a name with line breaks adds no lines', () => {
  const { text } = renderEmail({ is: 'deleted' }, '花子\n\nこちらへ https://evil.example', home)
  expect(text.split('\n')[0]).toBe('花子 こちらへ https://evil.example 様')
  const title = '花さんが\r\n\r\nコメントしました'
  const email = renderEmail({ is: 'notification', title, quoted: '', path: '/' }, '花子', home)
  expect(email.subject).toBe('花さんが コメントしました｜とどけ')
})

test('a code is alone on its line, so that it can be copied', () => {
  expect(renderEmail({ is: 'reset_code', code: '012345', mailUrl: home }, '花子', home).text).toMatch(
    /\n {4}012345\n/,
  )
})

test.each([
  ['deletion_asked', 6300, false, 'このままでは自動で振り込まれません。'],
  [
    'deletion_asked',
    -900,
    true,
    '残高が900円不足しています。不足分は、アカウントを削除してもなくなりません。',
  ],
  ['deleted', 6300, false, '残高6,300円の振込について、運営からこのメールアドレスにご連絡します。'],
  [
    'deleted',
    -900,
    false,
    '残高が900円不足しています。お支払いについて、運営からこのメールアドレスにご連絡します。',
  ],
] as const)(
  'the email %s of a balance of %i yen says what becomes of it',
  (is, balance, isPaid, sentence) => {
    const { text } = renderEmail(
      { is, due: at, undoUrl: `${home}/u`, money: { balance, isPaid } },
      '花子',
      home,
    )
    expect(text).toContain(sentence)
    expect(text).not.toContain('最後のメール')
  },
)

test('the last email to a person without a balance says that it is the last', () => {
  expect(renderEmail({ is: 'deleted' }, '花子', home).text).toContain('これが最後のメールです。')
})
