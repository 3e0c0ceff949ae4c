// Help about who may see a post: everyone, members of a plan, buyers.
import { MAX_PLANS, MAX_PRICE, MIN_PRICE, PLAN_NOTICE_DAYS } from '#contract/limits.ts'
import { yen } from '#src/lib/format.ts'
import { everyoneSees } from '#src/domain/posts/audience-text.ts'
import type { HelpText } from './topics.ts'

export const planHelp: HelpText = {
  lead: 'だれが投稿を見られるかと、プラン・有料の投稿についてのよくある質問です。',
  questions: [
    {
      id: 'audience',
      title: '投稿の公開範囲を選べますか',
      blocks: [
        '投稿画面の「公開範囲」で選べます。',
        {
          is: 'rows',
          rows: [
            ['全体公開', everyoneSees],
            ['プラン限定', '選んだプランに加入している人が見られます。1件の投稿に複数のプランを選べます。'],
            ['有料', 'その投稿を購入した人が見られます。'],
          ],
        },
        'どの公開範囲でも、自分の投稿はいつでも見られます。',
        '共有されたリンクに本文と画像を表示するかどうかは、[プライバシーと安全](/settings/privacy-and-security)で選べます。オフにすると、検索エンジンの結果にも表示されません。',
      ],
    },
    {
      id: 'identity',
      title: 'プラン限定や有料の投稿を公開できません',
      blocks: [
        'プラン限定の投稿と有料の投稿には、本人確認の承認が必要です。[本人確認](/user/verification)の画面から手続きできます。書いた内容とファイルは、承認されるまで端末に残ります。すでに公開した投稿は、そのまま公開されます。',
      ],
    },
    {
      id: 'gate',
      title: '見られない投稿はどのように表示されますか',
      blocks: [
        '本文とファイルの代わりに、ぼかした画像と、何をすれば見られるか（プランの名前と月額、または価格）を表示します。画像の枚数と、動画があるかどうかもわかります。',
        'ぼかした画像は、サーバーで32ピクセルまで縮めてから作ります。元の画像がほかの人の端末に送られることはありません。',
      ],
    },
    {
      id: 'price',
      title: '有料の投稿の価格はいくらですか',
      blocks: [
        `投稿する人が、${yen(MIN_PRICE)}から${yen(MAX_PRICE)}までの間で決めます。表示されている価格は消費税を含みます。`,
      ],
    },
    {
      id: 'create-plan',
      title: 'プランを作るにはどうすればよいですか',
      blocks: [
        `本人確認の承認のあと、[プラン](/plan)の画面で作れます。月額（${yen(MIN_PRICE)}から${yen(MAX_PRICE)}まで）、特典の内容、画像、人数の上限を決められます。プランは${MAX_PLANS}個まで作れます。`,
        '月額を変更すると、新しい金額はこれから加入する人に適用します。現在のメンバーの金額は変わりません。',
        `プランを終えるときは、編集画面で終了日を決めます。メンバーがいるときは、${PLAN_NOTICE_DAYS}日以上あとの日を選びます。決めた終了日は変更できません。`,
      ],
    },
    {
      id: 'monthly',
      title: 'プランの料金はいくらですか',
      blocks: ['プランごとにクリエイターが決めます。表示されている料金は1か月分で、消費税を含みます。'],
    },
    {
      id: 'age-and-plan',
      title: '年齢制限のあるプラン限定・有料の投稿は、どうすれば見られますか',
      blocks: [
        'プランへの加入または購入に加えて、年齢制限のある投稿を表示する設定が必要です。[プライバシーと安全](/settings/privacy-and-security)で変更できます。',
      ],
    },
    {
      id: 'terms',
      title: '支払いと取り消しの条件はどこにありますか',
      blocks: [
        '[特定商取引法に基づく表記](/settings/commercial-transactions-act)と[利用規約](/settings/terms-of-service#fees)をご覧ください。',
      ],
    },
  ],
}
